/** What a database has of an account. */
export interface AccountCopy {
  database: number
  /** `stand_in`: for an administrator; `hidden`: a row of an account that arrives, or is left of one that moved. */
  kind: 'active' | 'stand_in' | 'hidden'
  /** Of a move that the database knows. */
  move: { state: string; target: number } | null
}

/** Returns what is wrong with the places of an account; null if it is active in exactly one database. */
export function judgeAccount(id: number, copies: readonly AccountCopy[]): string | null {
  const active = copies.filter(({ kind }) => kind === 'active')
  const hidden = copies.filter(({ kind }) => kind === 'hidden')
  const [first, second] = active
  if (first === undefined) {
    const [left] = hidden
    if (left === undefined) return null
    return `account ${id}: no database has it; database ${left.database} has rows that are left of it. Restore the database to which it moved from a newer backup`
  }
  if (second !== undefined && !isArriving(first, active) && !isArriving(second, active)) {
    const numbers = active.map(({ database }) => database).join(' and ')
    return `account ${id}: it is active in databases ${numbers}. Find out which one is in use, then remove the other: npm run ops -- remove-copy ${id} --from NUMBER`
  }
  const dead = hidden.find(({ move }) => move === null)
  if (dead === undefined) return null
  return `account ${id}: database ${dead.database} has rows that are left of it, but no move. Remove them: npm run ops -- remove-copy ${id} --from ${dead.database}`
}

/** Whether the account is active in the target of its move, and has not left this database yet. */
function isArriving({ move }: AccountCopy, active: readonly AccountCopy[]): boolean {
  return (
    active.length === 2 &&
    move?.state === 'leaving' &&
    active.some(({ database }) => database === move.target)
  )
}
