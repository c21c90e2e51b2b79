import { AppError, isDoorCode, type Receipt } from "@capstan/protocol";

/** What became of a submission: one that the door turned away before it was looked at is refused like any other. */
export async function askedFor(receipt: Promise<Receipt>): Promise<Receipt> {
  try {
    return await receipt;
  } catch (error) {
    if (!(error instanceof AppError) || !isDoorCode(error.code)) throw error;
    const { code, message: reason, hint } = error;
    return { type: "refused", code, reason, ...(hint === undefined ? {} : { hint }) };
  }
}
