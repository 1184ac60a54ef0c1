import { parseArgs } from 'node:util'
import { runLedgerModel } from '../edge/credits/rules/testing/ledger-model.ts'

/**
 * `npm run ledger-model`: applies a million generated commands to both the credit rules and a model of them. Exits
 * with code 1 if the results differ. `-- --seed N --commands N` replays a run.
 */
const { values } = parseArgs({ options: { seed: { type: 'string' }, commands: { type: 'string' } } })
const seed = Number(values.seed ?? Date.now() % 2 ** 32)
const commands = Number(values.commands ?? 1_000_000)
if (!Number.isSafeInteger(seed) || !Number.isSafeInteger(commands) || commands < 1) {
  console.error('--seed and --commands must be integers, and --commands at least 1.')
  process.exit(2)
}
console.log(`seed ${seed}, ${commands} commands`)
const startedAt = Date.now()
runLedgerModel({ seed, commands })
console.log(`no differences, ${((Date.now() - startedAt) / 1000).toFixed(1)} s`)
