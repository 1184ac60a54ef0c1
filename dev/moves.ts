import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { moveAccount } from '../edge/databases/move/move-account.ts'
import type { Database } from '../edge/platform/database/client.ts'
import { openDatabases } from '../edge/platform/database/open-databases.ts'
import { fillAccount, openAccount } from './moves/fill-account.ts'
import { startLoad } from './moves/load.ts'
import { ANSWER_MS_MAX } from './ops/open-deps.ts'
import { verifyLedgers } from './ops/verify-ledgers.ts'
import { prepareDatabases } from './system/migrate.ts'
import { makeSecrets } from './system/secrets.ts'
import { startOtherDatabase } from './system/system.ts'

/**
 * `npm run moves -- [--jobs 100000] [--ledger 150000] [--deliveries 150000]`: moves an account of this size between two
 * databases in which it and other accounts commit, and prints how long each step, each write of the command, and the
 * commits of the others took.
 */
const { values } = parseArgs({
  options: {
    jobs: { type: 'string', default: '100000' },
    ledger: { type: 'string', default: '150000' },
    deliveries: { type: 'string', default: '150000' },
  },
})

/** Requests that take longer are printed. */
const SLOW_MS = 2000

/** Times the requests of a client. Returns the longest write so far. */
function timeWrites({ $client }: Database): () => { ms: number; of: string } {
  let longest = { ms: 0, of: '' }
  const batch = $client.batch.bind($client)
  const execute = $client.execute.bind($client)
  $client.batch = async (statements, mode) => {
    const of = describe(statements)
    const { answer, ms } = await time(of, () => batch(statements, mode))
    if (mode === 'write' && ms > longest.ms) longest = { ms, of }
    return answer
  }
  $client.execute = async (statement: unknown) => {
    const { answer } = await time(describe([statement as string]), () => execute(statement as string))
    return answer
  }
  return () => longest
}

async function time<Answer>(
  of: string,
  send: () => Promise<Answer>,
): Promise<{ answer: Answer; ms: number }> {
  const started_at = performance.now()
  try {
    const answer = await send()
    return { answer, ms: performance.now() - started_at }
  } finally {
    const ms = performance.now() - started_at
    if (ms > SLOW_MS) console.log(`${Math.round(ms)} ms: ${of}`)
  }
}

function describe(statements: Parameters<Database['$client']['batch']>[0]): string {
  const sql = JSON.stringify(statements.at(-1) ?? null)
  return `${statements.length} statements, the last one ${sql.replaceAll(/\s+/g, ' ').slice(0, 100)}`
}

const folder = mkdtempSync(join(tmpdir(), 'media-moves-'))
const secrets = makeSecrets()
const started = await Promise.all(
  ['home', 'other'].map((name) => startOtherDatabase({ dataDirectory: join(folder, name), secrets })),
)
try {
  const [home, other] = started
  if (home === undefined || other === undefined) throw new Error('A database did not start.')
  await prepareDatabases(home, [other])
  const open = () =>
    openDatabases(
      {
        DATABASE_URL: home.url,
        DATABASE_AUTH_TOKEN: undefined,
        ACCOUNT_DATABASES: [{ url: other.url }],
      },
      undefined,
      { answer_ms_max: ANSWER_MS_MAX },
    ) as [Database, Database]
  const databases = open()
  const [source, target] = databases
  const size = {
    jobs: Number(values.jobs),
    ledger: Number(values.ledger),
    deliveries: Number(values.deliveries),
  }
  const account = await fillAccount(source, size)
  console.log(`Account ${account} has`, size, `load average ${loadavg()[0]?.toFixed(1)}`)
  const own = startLoad(source, account)
  const others = [startLoad(source, await openAccount(source)), startLoad(target, await openAccount(target))]
  const command = open()
  const longest = command.map(timeWrites)
  const steps: [name: string, at: number][] = []
  const loads = [own, ...others]
  const moved = await moveAccount(command, account, 1, {
    keep_ms: 1000,
    onStep: async (step) => {
      const now = performance.now()
      console.log(`${step}, ${Math.round(now - (steps.at(-1)?.[1] ?? now))} ms after the step before`)
      steps.push([step, now])
      // Its rows are deleted in the source from now on.
      if (step === 'remove') await own.stop()
    },
  }).finally(() => Promise.all(loads.map((load) => load.stop())))
  const end = performance.now()
  for (const [index, [name, at]] of steps.entries()) {
    console.log(`${name}: ${Math.round((steps[index + 1]?.[1] ?? end) - at)} ms`)
  }
  console.log(`Writes of the account were refused for ${moved.refused_ms} ms (${own.refused} attempts).`)
  for (const [index, name] of ['source', 'target'].entries()) {
    const { ms, of } = longest[index]?.() ?? { ms: 0, of: '' }
    const times = (others[index]?.times_ms ?? []).toSorted((one, two) => one - two)
    const at = (share: number) => Math.round(times[Math.floor((times.length - 1) * share)] ?? 0)
    console.log(`${name}: longest write of the command ${Math.round(ms)} ms (${of})`)
    console.log(
      `${name}: ${times.length} commits of another account, median ${at(0.5)} ms, 99 % ${at(0.99)} ms, longest ${at(1)} ms`,
    )
  }
  const faults = (await Promise.all(databases.map(verifyLedgers))).flat()
  console.log(faults.length === 0 ? 'All ledgers are correct.' : faults.slice(0, 5))
  console.log(`Load average ${loadavg()[0]?.toFixed(1)}.`)
} finally {
  await Promise.all(started.map((database) => database.stop()))
  rmSync(folder, { recursive: true, force: true })
}
