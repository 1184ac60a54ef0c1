/** Returns the welcome grant of an account; 0 if its mailbox has received one. */
export function welcomeCredits(
  { welcomeUsed }: { welcomeUsed: boolean },
  { verify_bonus_credits }: { verify_bonus_credits: number },
): number {
  return welcomeUsed ? 0 : verify_bonus_credits
}
