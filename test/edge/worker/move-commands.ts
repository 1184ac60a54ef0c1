import { forgetCredentials } from '../../../edge/accounts/authenticate.ts'
import { moveAccount } from '../../../edge/databases/move/move-account.ts'
import type { Database } from '../../../edge/platform/database/client.ts'
import { giveCredits, type Person, register, SUBMISSION } from './people.ts'
import type { SpreadContext } from './spread-context.ts'

export type Batch = Database['$client']['batch']

/** Returns a database whose client has other methods. */
export function replaceMethods(db: Database, methods: Partial<Database['$client']>): Database {
  const client = new Proxy(db.$client, {
    get: (target, name) => Reflect.get(name in methods ? methods : target, name),
  })
  return new Proxy(db, { get: (target, name) => (name === '$client' ? client : Reflect.get(target, name)) })
}

/** Commands that move accounts, and what users do during a move. */
export function makeMoveCommands(context: SpreadContext) {
  const { call, home, other } = context
  type Databases = typeof home.databases

  /** What the cache of credentials does within a few seconds. */
  const forgetAtRemoval = (step: string) => (step === 'remove' ? forgetCredentials(home) : undefined)

  const move = (
    account: number,
    to: number,
    onStep: (step: string) => unknown = forgetAtRemoval,
    databases: Databases = home.databases,
  ) => moveAccount(databases, account, to, { keep_ms: 0, onStep: async (step) => void (await onStep(step)) })

  /** Ends a command at a step. */
  const stopAt = (last: string) => (step: string) => {
    if (step === last) throw new Error('stopped')
  }

  const query = async ({ db }: { db: Database }, sql: string, ...args: (string | number)[]) =>
    (await db.$client.execute({ sql, args })).rows

  /** The databases of a command whose connection fails at the commit that activates the copy. */
  function loseActivation(lose: (commit: () => ReturnType<Batch>) => Promise<unknown>): Databases {
    const batch: Batch = async (statements, mode) => {
      const commit = () => other.db.$client.batch(statements, mode)
      if (!JSON.stringify(statements).includes('INSERT INTO account_arrivals')) return commit()
      await lose(commit)
      throw new Error('no response')
    }
    return [home.db, replaceMethods(other.db, { batch })]
  }

  async function registerWithCredits(): Promise<Person> {
    const person = await register(context)
    await giveCredits(context, person, 100)
    return person
  }

  const submitAs = async (person: Person) =>
    (await call('POST', '/api/v1/jobs', { token: person.token, body: SUBMISSION })).status

  return { forgetAtRemoval, loseActivation, move, query, registerWithCredits, stopAt, submitAs }
}
