// Without script: the same.
import type { ReactNode } from "react";
import { Button } from "../../ui/form/button";
import { paths } from "../../paths";

type Answer = [question: string, answer: ReactNode];

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
    "The name of a single code or a campaign, the expiration and the machines can be changed at any time. The discount and the kind of use stay: duplicate the code for new ones.",
  ],
  [
    "How do I stop codes?",
    "Deactivate them: machines refuse them at once, and you can undo it for 10 minutes. After that, and for deleted codes, ask an admin.",
  ],
  [
    "When does a code expire?",
    "At the end of its last day in the time zone of the site, which stands beside the expiration on its page.",
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
      <a href={paths.machines}>Machines</a> says when the list was last updated, and reads it again
      with Refresh.
    </>,
  ],
  [
    "The last backup is old",
    <span key="backup" id="backup">
      Backups are made on the server, while the product runs: <code>npm run backup -- FILE</code>. A
      daily one is a line of its scheduler, as the README shows.
    </span>,
  ],
  [
    "You want to see the first steps again",
    <form key="steps" method="post" action={paths.preferences}>
      <input type="hidden" name="returnTo" value={paths.dashboard} />
      <Button name="steps" value="shown" size="small">
        Show first steps
      </Button>
    </form>,
  ],
  [
    "You can't sign in",
    "Ask for a new password on the sign-in page. An admin can invite you again, and turn two-step verification off if you lost your phone and your recovery codes.",
  ],
  [
    "Who helps with everything else",
    "An admin of this console. Say what you did, when, what the screen said, and which code or serial number it was about.",
  ],
];
