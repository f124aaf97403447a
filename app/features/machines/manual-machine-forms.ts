/** The rules of the forms about machines that admins add by hand (RULES M10), for browser and server alike. */
import * as z from "zod/mini";
import { isBlank, isLongerThan, isStorableText } from "../../forms/storable-text";
import { nameText, rule, text } from "../../forms/fields";
import { editValidator, formValidator } from "../../forms/form-validator";
import { formatNumber } from "../../format/number";
import { canBeNewSerial, type MachineChoice } from "./machine";

export const maxNewMachines = 2_000;

/** Leaves room for what is typed beside the file: a form has 256 KiB. */
const maxFileBytes = 200_000;

/** Returns why a file can't be a list of machines by its size, or null. */
export function machineFileError({ size }: Pick<File, "size">): string | null {
  return size > maxFileBytes ? "File is too big." : null;
}

export const editMachineValidator = editValidator(z.object({ humanName: nameText() }));

/** The server reads a file, and says when there is no machine at all. */
export const newMachinesValidator = formValidator(
  z.object({
    machines: text.check(rule((list) => (list.trim() === "" ? null : newMachinesError(list)))),
  }),
);

export function newMachinesError(list: string): string | null {
  const { machines, errors } = parseMachineList(list);
  if (machines.length + errors.length === 0) return "Enter at least one machine";
  if (machines.length > maxNewMachines)
    return `No more than ${formatNumber(maxNewMachines)} machines can be added at once, and these are ${formatNumber(machines.length)}`;
  return errors.length > 0 ? `${errors.join(". ")}. Nothing was added.` : null;
}

const maxErrors = 5;

/** A serial number, perhaps in double quotes, and what follows it. */
const linePattern = /^(\s*"(?:[^"]|"")*"\s*(?=[\t,;]|$)|[^\t,;]*)[\t,;]?([^]*)$/;

/**
 * Reads one machine per line: its serial number, then its name after a tab, comma or semicolon. A serial number with one
 * of these stands in double quotes. A machine without a name is named by its serial number. Lines 'Serial number, name'
 * and 'sep=;' are left out: a file's may follow typed lines.
 * @returns the machines, and messages about the first lines that name none
 */
export function parseMachineList(list: string): { machines: MachineChoice[]; errors: string[] } {
  const machines = new Map<string, MachineChoice>();
  const errors: string[] = [];
  for (const [index, line] of list.split(/\r\n|\r|\n/).entries()) {
    const [, serial = "", rest = ""] = linePattern.exec(line)!;
    const [serialNumber, name] = [unquote(serial), unquote(rest)];
    if (line.trim() === "" || /^(serial[ _-]?number|sep=[\t,;]?)$/i.test(serialNumber)) continue;
    const error =
      lineError(serialNumber, name) ?? (machines.has(serialNumber) ? "is listed twice" : null);
    if (error === null)
      machines.set(serialNumber, { serialNumber, humanName: isBlank(name) ? serialNumber : name });
    else
      errors.push(
        [`Line ${index + 1}:`, serialNumber.slice(0, 20), error].filter(Boolean).join(" "),
      );
  }
  return { machines: [...machines.values()], errors: errors.slice(0, maxErrors) };
}

function lineError(serialNumber: string, name: string): string | null {
  if (serialNumber === "") return "has no serial number";
  if (!canBeNewSerial(serialNumber))
    return "is no serial number: use at most 100 printable characters";
  if (isLongerThan(name, 200)) return "has a name of more than 200 characters";
  return isStorableText(name) ? null : "has a name that cannot be stored";
}

/** Writes a serial number as a line that `parseMachineList` reads. */
export function toMachineLine(serialNumber: string): string {
  const isPlain = !/^"|[\t,;]/.test(serialNumber);
  return isPlain ? serialNumber : `"${serialNumber.replaceAll('"', '""')}"`;
}

function unquote(value: string): string {
  const trimmed = value.trim();
  return /^"[^]*"$/.test(trimmed) ? trimmed.slice(1, -1).replaceAll('""', '"') : trimmed;
}
