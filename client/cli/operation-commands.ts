import { Command, InvalidArgumentError } from 'commander'
import { CATALOG } from '../generated/catalog.ts'
import { camelCase } from '../src/camel-case.ts'
import type { CatalogEntry } from './catalog-entry.ts'
import { fieldOptions, parseJson } from './field-option.ts'
import { runOperation } from './run-operation.ts'

const TITLES = { video: 'Process videos', image: 'Process images', links: 'Process public video links' }

/** Creates the `video`, `image`, and `links` commands, with a subcommand for each operation. */
export function operationCommands(): Command[] {
  return (Object.keys(TITLES) as (keyof typeof TITLES)[]).map((group) => {
    const command = new Command(group).description(TITLES[group])
    for (const entry of CATALOG) if (entry.group === group) command.addCommand(operationCommand(entry))
    return command
  })
}

function operationCommand(entry: CatalogEntry): Command {
  const input = entry.group === 'links' ? '<url...>' : '<input...>'
  const about =
    entry.group === 'links' ? 'Public video links' : 'Files, folders, patterns, URLs, or - for standard input'
  const command = newOperationCommand(entry)
    .argument(input, about)
    .option('-o, --output <path>', 'File or folder to write to, or - for standard output')
    .option('-f, --force', 'Overwrite files that exist')
    .option('-c, --concurrency <number>', 'Jobs at a time (default: 4)', parseConcurrency, 4)
    .option('--webhook <url>', 'Public URL that receives an event when a job ends')
  addFieldOptions(command, entry)
  return command.action((inputs: string[]) => runOperation(command, entry, inputs))
}

/** Creates a command that also has the key of the operation as its name, with underscores or hyphens. */
export function newOperationCommand({ command, key, title, description }: CatalogEntry): Command {
  const names = [key, key.replaceAll('_', '-'), command.replaceAll('-', '_')]
  const aliases = [...new Set(names)].filter((name) => name !== command)
  return new Command(command).aliases(aliases).summary(title).description(description)
}

/** Adds an option for each parameter of the operation, and --params for parameters that are easier to write as JSON. */
export function addFieldOptions(command: Command, entry: CatalogEntry): void {
  command.optionsGroup('Parameters:')
  for (const field of entry.fields) for (const option of fieldOptions(field)) command.addOption(option)
  command.option('--params <JSON>', 'Further parameters as a JSON object, such as a pipeline', parseParams)
}

/** Reads the parameters of the operation from the options of its command. */
export function readParams(command: Command, entry: CatalogEntry): Record<string, unknown> {
  const options = command.opts<Record<string, unknown>>()
  const own = entry.fields.flatMap(({ name }) => {
    const value = options[camelCase(name)]
    return value === undefined ? [] : [[name, value]]
  })
  return { ...(options.params as object | undefined), ...Object.fromEntries(own) }
}

function parseParams(text: string): object {
  const value = parseJson(text)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw new InvalidArgumentError('It must be a JSON object.')
}

function parseConcurrency(text: string): number {
  const value = Number(text)
  if (Number.isInteger(value) && value >= 1 && value <= 100) return value
  throw new InvalidArgumentError('It must be a whole number from 1 to 100.')
}
