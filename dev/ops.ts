import { randomBytes } from 'node:crypto'
import { Argument, Command, InvalidArgumentError, Option } from 'commander'
import { cancelMove } from '../edge/databases/move/cancel-move.ts'
import { moveAccount, REFUSED_MS_MAX } from '../edge/databases/move/move-account.ts'
import { everyDatabase } from '../edge/platform/database/find-place.ts'
import { LANES, type Lane } from '../shared/planning/lanes.ts'
import { announceAll, describeAnnounced } from './deploy/announce-all.ts'
import { closeDatabase } from './ops/close-database.ts'
import { describeProcess, drainFleet, listFleet } from './ops/drain.ts'
import { failJob, rebuildQueues, redispatchOne } from './ops/jobs.ts'
import { openOps } from './ops/open-deps.ts'
import { reconcileOrders } from './ops/reconcile-orders.ts'
import { removeAccountCopy } from './ops/remove-copy.ts'
import { repairDatabases } from './ops/repair-databases.ts'
import { requireMigrated, requireMovable } from './ops/require-movable.ts'
import { ROTATED, type RotatedKeys, rotateKeys } from './ops/rotate-keys.ts'
import { readOpsSettings } from './ops/settings.ts'
import { traceJob } from './ops/trace-job.ts'
import { verifyAll } from './ops/verify/verify-all.ts'
import { verifyDatabases } from './ops/verify/verify-databases.ts'
import { watchSignals } from './ops/watch-signals.ts'

/**
 * `npm run ops -- COMMAND`: inspects and mends a deployment; docs/runbook.md says when. Reads the settings of the
 * Worker from the environment (`node --env-file`), or uses the running local system.
 */
const DAY_MS = 24 * 60 * 60 * 1000
const program = new Command('ops').description('Inspect and mend a deployment. See docs/runbook.md.')
const deps = () => openOps(process.env)
const fleet = () => readOpsSettings(process.env)

program
  .command('trace <job>')
  .description('Show attempts, transitions, charges and unsent effects of a job')
  .action(async (job: string) => {
    const trace = await traceJob(deps(), job)
    if (trace === null) return fail(`There is no job ${job}.`)
    console.log(trace)
  })

program
  .command('redispatch <job>')
  .description('Dispatch an open job again')
  .action(async (job: string) => {
    if (await redispatchOne(deps(), job)) console.log(`Dispatched ${job} again.`)
    else fail(`${job} has ended or has just reported. Look at it with: npm run ops -- trace ${job}`)
  })

program
  .command('fail <job>')
  .description('Fail an open job and refund its charge')
  .action(async (job: string) => {
    await failJob(deps(), job)
    console.log(`Failed ${job} and refunded its charge.`)
  })

program
  .command('verify')
  .description('Check the ledgers of all accounts, the prices of all jobs, and that all databases agree')
  .action(async () => {
    const { databases } = deps()
    const faults = await verifyAll(databases)
    for (const fault of faults) console.log(fault)
    if (faults.length > 0) fail(`${faults.length} faults.`)
    else console.log(`All ledgers are correct.${databases.length > 1 ? ' All databases agree.' : ''}`)
  })

program
  .command('repair-databases')
  .description('Repair what verify finds between several databases')
  .action(async () => {
    const { databases } = deps()
    await repairDatabases(databases)
    const faults = await verifyDatabases(databases)
    for (const fault of faults) console.log(fault)
    if (faults.length > 0) fail(`${faults.length} faults are left.`)
    else console.log('All databases agree.')
  })

program
  .command('remove-copy')
  .description('Remove rows of an account from a database; another one has the account')
  .argument('<account>', 'its id', parseNumber)
  .requiredOption('--from <number>', 'the database: 0 is the first one', parseNumber)
  .action(async (account: number, { from }: { from: number }) => {
    await removeAccountCopy(deps().databases, account, from)
    console.log(`Database ${from} has no rows of account ${account} any more.`)
  })

program
  .command('reconcile')
  .description('Compare orders with the payments of the providers, and apply the differences')
  .option('--days <days>', 'how far to look back', parseDays, 30)
  .action(async ({ days }: { days: number }) => {
    const payments = await reconcileOrders(deps(), Date.now() - days * DAY_MS)
    const changed = payments.filter(({ outcome }) => outcome !== 'matched')
    for (const { outcome, provider, order_id, reference, paid_cents, currency } of changed) {
      console.log(`${outcome}  ${provider}  ${order_id}  ${reference}  ${paid_cents} ${currency ?? ''}`)
    }
    console.log(`${payments.length} payments, ${changed.length} differences.`)
    if (changed.some(({ outcome }) => outcome === 'unknown')) {
      console.log('Grant credits for each unknown order under Unmatched events in the administration.')
    }
  })

program
  .command('move-account')
  .description('Move an account to another database while it is in use')
  .argument('<account>', 'its id', parseNumber)
  .requiredOption(
    '--to <number>',
    'the database: 0 is the first one, 1 the first of ACCOUNT_DATABASES',
    parseNumber,
  )
  .option(
    '--refuse-seconds <seconds>',
    'stop before writes would be refused for longer',
    parseNumber,
    REFUSED_MS_MAX / 1000,
  )
  .action(async (account: number, { to, refuseSeconds }: { to: number; refuseSeconds: number }) => {
    const { databases } = deps()
    await requireMovable(databases, account, to)
    const throwIfStopped = watchSignals(account)
    const options = {
      refused_ms_max: refuseSeconds * 1000,
      onStep: async (step: string) => {
        console.log(step)
        // After that, the account has arrived.
        if (step !== 'leave' && step !== 'remove') throwIfStopped()
        // A migration that began before the move was recorded did not see it.
        if (step === 'activate') await requireMigrated(databases)
      },
    }
    try {
      const { refused_ms } = await moveAccount(databases, account, to, options)
      console.log(`Account ${account} is in database ${to}. Its writes were refused for ${refused_ms} ms.`)
    } catch (error) {
      if (!String(error).includes('commit_guards_hold')) throw error
      fail('Another command moved the account, or canceled its move. If none did, run this one again.')
    }
  })

program
  .command('cancel-move')
  .description('Let an account that is moving go on in its database, unless it has arrived')
  .argument('<account>', 'its id', parseNumber)
  .action(async (account: number) => {
    const isCanceled = await cancelMove(deps().databases, account)
    if (isCanceled) console.log(`Account ${account} does not move any more. Its writes are accepted.`)
    else console.log(`Account ${account} is not moving.`)
  })

program
  .command('close-database')
  .description(
    'Let no more accounts be placed in the last database, so that it can be removed once it is empty',
  )
  .argument('<number>', 'the database', parseNumber)
  .action(async (number: number) => {
    const left = await closeDatabase(deps().databases, number)
    if (left > 0) fail(`Move its ${left} accounts with move-account, then start this command again.`)
    else console.log(`Remove database ${number} from ACCOUNT_DATABASES and deploy. Keep its last backup.`)
  })

program
  .command('open-databases')
  .description(
    'Let accounts be placed in all databases, once the Worker knows them; npm run deploy does it itself',
  )
  .action(async () => {
    const { DATABASE_URL: url, DATABASE_AUTH_TOKEN: token, ...settings } = readOpsSettings(process.env)
    const count = 1 + settings.ACCOUNT_DATABASES.length
    const home = { url, ...(token === undefined ? {} : { token }) }
    await announceAll(home, count, settings.PUBLIC_URL, { reopens: true })
    console.log(describeAnnounced(count))
  })

program
  .command('rebuild-queues')
  .description('Dispatch all open jobs again, after the fleet has lost its queues')
  .action(async () => {
    const counts = await Promise.all(everyDatabase(deps()).map(rebuildQueues))
    console.log(`Dispatched ${counts.reduce((sum, count) => sum + count, 0)} jobs again.`)
  })

program
  .command('processes')
  .description('List the processes of the fleet and what they run')
  .action(async () => {
    for (const process of await listFleet(fleet())) console.log(describeProcess(process))
  })

program
  .command('drain [process]')
  .description('Let a process, or all of a lane, finish its running jobs and exit')
  .addOption(new Option('--lane <lane>', 'drain all processes that serve this lane').choices(LANES))
  .action(async (process: string | undefined, { lane }: { lane?: Lane }) => {
    if ((process === undefined) === (lane === undefined)) return fail('Name either a process or a --lane.')
    const drained = await drainFleet(fleet(), lane === undefined ? { process: process ?? '' } : { lane })
    if (drained.length === 0) fail('No process matches. List them with: npm run ops -- processes')
    for (const name of drained) console.log(`${name} accepts no more jobs and exits after the running ones.`)
  })

program
  .command('rotate-keys')
  .description('Print the next value of a list of keys, with a new key that signs')
  .addArgument(new Argument('<name>').choices(ROTATED))
  .action((name: RotatedKeys) => {
    const current = process.env[name] ?? ''
    if (current === '') fail(`${name} is not set, so the keys in use would no longer verify.`)
    else console.log(rotateKeys(name, current, randomBytes(32).toString('base64')))
  })

function parseNumber(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It must be a whole number of at most 15 digits.')
}

function parseDays(text: string): number {
  const days = Number(text)
  if (days > 0 && days <= 3650) return days
  throw new InvalidArgumentError('It must be a number between 0 and 3650.')
}

function fail(message: string): void {
  console.error(message)
  process.exitCode = 1
}

await program
  .parseAsync()
  .catch((error: unknown) => fail(error instanceof Error ? error.message : String(error)))
