import type { ReactNode } from "react";
import { Button } from "../../ui/form/button";
import { paths } from "../../paths";

export type Answer = [question: string, answer: ReactNode];

const checkCode = <a href={paths.check}>Check a code</a>;

export const faqAnswers: Answer[] = [
  [
    "What is a code, and what is a campaign?",
    "A code is one QR code with its characters. A campaign is a single code, or the codes that were generated together, as one row. 'Active promos', 'Total Promos' and the like count codes.",
  ],
  [
    "Why does no machine accept my code?",
    <>
      A code is accepted only at the machines that it is assigned to, directly or through a group.{" "}
      {checkCode} says what is missing.
    </>,
  ],
  [
    "Can I change a code that is printed?",
    "You can change its name, machines, start, hours, caps and expiration. Codes that were generated together can only get a later expiration, and a renewable code has none. The discount and the kind of use can't be changed: duplicate the code instead.",
  ],
  [
    "How do I stop codes?",
    "Deactivate them: machines refuse them at once, and you can undo it for 10 minutes. After that, and for deleted codes, ask an admin.",
  ],
  [
    "When does a code expire?",
    "At the end of its last day in the time zone of the site, which its page shows beside the expiration.",
  ],
  [
    "When does a renewable code get its uses back?",
    "On the first day of each month, at 00:00 in the time zone of the site.",
  ],
  [
    "How do I enter a date?",
    "As day, month and year, for example 28/03/2027. Dots, dashes and spaces work, too, and so does 2027-03-28.",
  ],
  [
    "What happens when the connection fails?",
    "The page and what you entered stay. Trying again is safe: nothing is done twice.",
  ],
];

export const supportAnswers: Answer[] = [
  [
    "A machine refuses a code",
    <>
      Enter it on {checkCode} together with the serial number of the machine.{" "}
      <a href={paths.refusals}>Refused attempts</a> lists what machines refused, with the reasons.
    </>,
  ],
  [
    "A code was redeemed, but nothing was vended",
    <>
      The machine gives the use back within 10 minutes.{" "}
      <a href={paths.transactions}>Transactions</a> then shows it as rolled back.
    </>,
  ],
  [
    "A machine is missing, or its data is old",
    <>
      <a href={paths.machines}>Machines</a> says when the list was last updated; users and admins
      read it again with Refresh. Where no vending platform lists the machines, an admin adds them.
    </>,
  ],
  [
    "The last backup is old",
    <span key="backup" id="backup">
      Backups are made on the server, while the product runs: <code>npm run backup -- FILE</code>.
      The README shows how to schedule one for every day.
    </span>,
  ],
  [
    "You can't sign in, or need this console to be more accessible",
    <>
      <a href={paths.help}>Help</a> tells what to do, and can be read without signing in.
    </>,
  ],
  [
    "Who helps with everything else",
    "An admin of this console. Say what you did, when, what the screen said, and which code or serial number it was about.",
  ],
];

/** For a site that has first steps, until a day after its first redemption. */
export const firstStepsAnswer: Answer = [
  "You want to see the first steps again",
  <form key="steps" method="post" action={paths.preferences}>
    <input type="hidden" name="returnTo" value={paths.dashboard} />
    <Button name="steps" value="shown" size="small">
      Show first steps
    </Button>
  </form>,
];

/** For people who are not signed in. */
export const signInAnswers: Answer[] = [
  [
    "You forgot your password",
    <>
      Ask for a link on <a href={paths.passwordReset}>Forgot Password?</a>. It works for 10 minutes.
      If no mail comes, look among unwanted mails, and ask an admin whether the address is right.
    </>,
  ],
  [
    "You lost your phone",
    "Enter one of your recovery codes in place of the code of your phone. Without them, an admin can turn two-step verification off for you.",
  ],
  ["Your invitation doesn't work any more", "An admin can invite you again."],
  [
    "You have no account",
    "Sign up where the sign-in page offers it. Otherwise an admin of this console invites you by mail.",
  ],
];

/** Says what the console does for everybody, what is tested, and what is not. */
export const accessibilityAnswers: Answer[] = [
  [
    "What this console aims at",
    "Level AA of the Web Content Accessibility Guidelines 2.2. Everything can be done by keyboard alone, without scripts, on narrow screens, and in dark and light colours.",
  ],
  [
    "What is tested",
    "Each screen against the automatic rules of axe-core, its contrast, its width of 320 pixels, and that each stop of the Tab key is seen. The whole console is used by keyboard alone, and the main tasks in the three families of browsers.",
  ],
  [
    "What is not",
    "People who use screen readers have not tried it. Label sheets in PDF have no structure: the same codes are in the CSV file. Charts are pictures, each with a table of its numbers.",
  ],
  [
    "Something keeps you from working",
    "Tell an admin of this console what you did, and in which browser and with which aid.",
  ],
];
