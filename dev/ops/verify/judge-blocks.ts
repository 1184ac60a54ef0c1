/** The blocks of ids that a database knows: all in the home, its own in others. */
export interface BlockFacts {
  database: number
  blocks: readonly { number: number; database: number }[]
  /** The block of the highest id that a table has assigned or contains. */
  tables: readonly { name: string; block: number }[]
}

type Fault = { database: number; needs_block: boolean; text: string }

/**
 * Returns a sentence about each block that the home did not assign, and each table that numbers its rows outside of the
 * latest block of its database.
 */
export function judgeBlocks(facts: readonly BlockFacts[]): string[] {
  return findFaults(facts).map(({ text }) => text)
}

/** Returns the numbers of the databases that must number new rows in a new block. */
export function strayDatabases(facts: readonly BlockFacts[]): number[] {
  const stray = findFaults(facts).filter(({ needs_block }) => needs_block)
  return [...new Set(stray.map(({ database }) => database))]
}

const RENEW = 'Give it a new block: npm run ops -- repair-databases'

function findFaults(facts: readonly BlockFacts[]): Fault[] {
  const home = facts.find(({ database }) => database === 0)
  const assigned = new Map((home?.blocks ?? []).map(({ number, database }) => [number, database]))
  return facts.flatMap(({ database, blocks, tables }) => {
    const own = blocks.filter((block) => block.database === database)
    const latest = Math.max(0, ...own.map(({ number }) => number))
    const ofOthers = database === 0 ? [] : blocks.filter((block) => block.database !== database)
    const unassigned = own.filter(({ number }) => assigned.get(number) !== database)
    const outside = tables.filter(({ block }) => block !== latest)
    const fault = (needs_block: boolean, text: string) => ({
      database,
      needs_block,
      text: `database ${database}: ${text}`,
    })
    return [
      ...ofOthers.map(({ number, database: other }) =>
        fault(
          false,
          `it has block ${number} of database ${other}. Do not change the order of ACCOUNT_DATABASES`,
        ),
      ),
      ...unassigned.map(({ number }) => fault(true, describeUnassigned(number, assigned.get(number)))),
      ...outside.map(({ name, block }) =>
        fault(true, `${name} has ids of block ${block}, but block ${latest} is its latest. ${RENEW}`),
      ),
    ]
  })
}

function describeUnassigned(block: number, owner: number | undefined): string {
  const fact = `it uses block ${block} of ids, which the home`
  return owner === undefined
    ? `${fact} did not assign. ${RENEW}`
    : `${fact} assigned to database ${owner}. Both may have assigned the same ids. Keep both for the investigation`
}
