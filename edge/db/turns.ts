export async function inTurn<Answer>(_account: number, work: () => Promise<Answer>): Promise<Answer> {
  return work()
}
