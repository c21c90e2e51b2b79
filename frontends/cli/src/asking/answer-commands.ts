import { type Interaction, type InteractionRequest, unreachable } from "@capstan/protocol";
import { answerChoices, type ChoiceMeaning } from "@capstan/view";

/** A way to answer: in a word, and as a command line. */
export interface AnswerCommand {
  readonly about: string;
  readonly command: string;
}

/** Every answer that fits, with the command that gives it; the plain yes first. The digest binds it to exactly what was shown. */
export function answerCommands({ id, request, digest }: Interaction): readonly AnswerCommand[] {
  const bound = digest === id ? "" : ` --digest ${digest.slice(0, digestCharacters)}`;
  return flagsFor(request).map(([about, flags]) => ({
    about,
    command: `capstan interactions answer ${id} ${flags}${bound}`,
  }));
}

const digestCharacters = 12;

function flagsFor(request: InteractionRequest): readonly (readonly [about: string, flags: string])[] {
  switch (request.type) {
    case "approval":
      return answerChoices(request).flatMap(({ label, means }) => commandsFor(label, means));
    case "question":
      return [
        ["answer", request.questions.map(() => "--reply TEXT").join(" ")],
        ["no answer", "--deny"],
      ];
    case "plan-review":
      return [
        ["carry it out", "--plan proceed"],
        ["carry it out, and forget what was said before", "--plan proceed-clean"],
        ["have it changed", "--plan adjust --message TEXT"],
        ["give it up", "--plan cancel"],
      ];
    case "budget":
      return [
        ["as much again", "--continue"],
        ["end the turn", "--stop"],
      ];
    case "recovery":
      return [
        ["it was done", "--recovery accept-as-done"],
        ["run it again", "--recovery run-again"],
        ["take back what it did to files", "--recovery undo"],
        ["let the model look", "--recovery tell-model"],
        ["end the turn", "--recovery discard"],
      ];
    default:
      return unreachable(request);
  }
}

/** What waits on has no command. */
function commandsFor(label: string, means: ChoiceMeaning): readonly (readonly [about: string, flags: string])[] {
  switch (means.type) {
    case "approve":
      return [[`yes, ${label}`, means.remember === "nothing" ? "--approve" : `--approve --remember ${means.remember}`]];
    case "edit":
      return [["with other arguments", "--edit JSON"]];
    case "deny":
      return [
        ["no", "--deny"],
        ["no, and say why", "--deny --message TEXT"],
      ];
    case "later":
      return [];
    default:
      return unreachable(means);
  }
}
