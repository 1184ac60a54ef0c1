/** Returns the welcome grant of an account; 0 if its address received one in an account that was deleted. */
export function welcomeCredits(
  { welcomeUsed }: { welcomeUsed: boolean },
  { verify_bonus_credits }: { verify_bonus_credits: number },
): number {
  return welcomeUsed ? 0 : verify_bonus_credits
}
