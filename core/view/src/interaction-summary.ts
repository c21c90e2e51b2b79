import { type Interaction, unreachable } from "@capstan/protocol";

/** What is asked, in one line. */
export function interactionSummary({ request }: Interaction): string {
  switch (request.type) {
    case "approval":
      return request.action.summary;
    case "question":
      return request.questions.map(({ question }) => question).join(" / ");
    case "plan-review":
      return request.plan;
    case "budget":
      return `${request.used} of ${request.allowed} ${request.limit} used`;
    case "recovery":
      return `interrupted: ${request.calls.map(({ action }) => action.summary).join("; ")}`;
    default:
      return unreachable(request);
  }
}
