import { Command, InvalidArgumentError } from 'commander'
import { CATALOG } from '../generated/catalog.ts'
import type { QuoteRequest } from '../node/index.ts'
import type { CatalogEntry } from './catalog-entry.ts'
import { UsageError } from './exit-codes.ts'
import { flagOf } from './field-option.ts'
import { addFieldOptions, newOperationCommand, readParams } from './operation-commands.ts'
import { openSession } from './session.ts'
import { formatTable } from './terminal.ts'

/** Placeholder input for quotes. The price does not depend on the file. */
const ANY_FILE = 'https://example.com/file'

/** Creates the `quote` command, with a subcommand for each operation. */
export function quoteCommand(): Command {
  const quote = new Command('quote').description('Show what a job would cost, without running it')
  for (const group of ['video', 'image', 'links'] as const) {
    const command = new Command(group)
    for (const entry of CATALOG) if (entry.group === group) command.addCommand(quoteOperation(entry))
    quote.addCommand(command)
  }
  return quote
}

function quoteOperation(entry: CatalogEntry): Command {
  const command = newOperationCommand(entry)
    .option('--length <seconds>', 'Length of the input, to check it against the limit', parseSeconds)
    .allowExcessArguments()
  addFieldOptions(command, entry)
  return command.action(async () => {
    const [file] = command.args
    if (file !== undefined) throw new UsageError(`A quote takes options but no files. Remove ${file}.`)
    const session = await openSession(command)
    const { length } = command.opts<{ length?: number }>()
    const input = entry.group === 'links' ? { url: ANY_FILE } : { file_url: ANY_FILE }
    const request = {
      service_slug: entry.service,
      operation_key: entry.key,
      params: { ...readParams(command, entry), ...input },
      ...(length !== undefined && { duration_seconds: length }),
    } as QuoteRequest
    const price = await session.media.jobs.quote(request, { signal: session.signal })
    const { base_credits, max_credits, balance, affordable } = price
    const range = base_credits === max_credits ? base_credits : `${base_credits} to ${max_credits}`
    session.print(price, `${range} credits; the balance of ${balance} ${affordable ? 'is' : 'is not'} enough`)
  })
}

/** Creates the `ops` command, which reads the embedded catalog. */
export function opsCommand(): Command {
  const ops = new Command('ops')
    .description('List the operations, or show the parameters of one')
    .argument('[name]', 'Operation, such as resize or image/resize')
  return ops.action((name: string | undefined) => {
    const isJson = ops.optsWithGlobals<{ json?: boolean }>().json === true
    const entries = name === undefined ? CATALOG : findEntries(name)
    if (isJson) process.stdout.write(entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''))
    else
      process.stdout.write(
        `${name === undefined ? listEntries(entries) : entries.map(showEntry).join('\n\n')}\n`,
      )
  })
}

function findEntries(name: string): readonly CatalogEntry[] {
  const wanted = name.replaceAll('_', '-').split(/[/ ]/)
  const found = CATALOG.filter(({ group, service, command, key }) =>
    wanted.at(-1) === command || wanted.at(-1) === key.replaceAll('_', '-')
      ? wanted.length === 1 || [group, service].includes(wanted[0] as 'video')
      : false,
  )
  if (found.length === 0) throw new UsageError(`Unknown operation: ${name}. \`media ops\` lists all.`)
  return found
}

function listEntries(entries: readonly CatalogEntry[]): string {
  return formatTable(entries.map(({ group, command, title }) => [`media ${group} ${command}`, title]))
}

function showEntry({ group, command, title, description, fields }: CatalogEntry): string {
  const rows = fields.map(({ name, description: about = '' }) => [`  ${flagOf(name)}`, about])
  return [
    `media ${group} ${command}: ${title}`,
    description,
    ...(rows.length > 0 ? [formatTable(rows)] : []),
  ].join('\n')
}

function parseSeconds(text: string): number {
  const value = Number(text)
  if (value > 0 && Number.isFinite(value)) return value
  throw new InvalidArgumentError('It must be a number of seconds above 0.')
}
