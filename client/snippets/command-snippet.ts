import { placeOfCall, quoteForShell, quoteWhereNeeded, type SnippetCall } from './snippet-call.ts'

/**
 * Writes the command that runs a job and saves its result in a folder.
 * @param fields names of the parameters that have an option of their own
 */
export function commandSnippet(call: SnippetCall, fields: readonly string[]): string {
  const { group, name } = placeOfCall(call)
  const own = Object.entries(call.params).filter(([key]) => fields.includes(key))
  const others = Object.entries(call.params).filter(([key]) => !fields.includes(key))
  const options = own.map(([key, value]) => optionText(key, value))
  if (others.length > 0) options.push(`--params ${quoteForShell(JSON.stringify(Object.fromEntries(others)))}`)
  const command = name.replaceAll('_', '-')
  return ['media', group, command, quoteWhereNeeded(call.input), ...options, '-o out/'].join(' ')
}

function optionText(name: string, value: unknown): string {
  const flag = `--${name.replaceAll('_', '-')}`
  if (typeof value === 'boolean') return value ? flag : flag.replace('--', '--no-')
  const values = [value]
    .flat()
    .map((each) => (typeof each === 'object' ? JSON.stringify(each) : String(each)))
  return [flag, ...values.map(quoteWhereNeeded)].join(' ')
}
