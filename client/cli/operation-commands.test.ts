import { expect, test } from 'vitest'
import { CATALOG } from '../generated/catalog.ts'
import { makeProgram } from './program.ts'

const program = makeProgram()

/** Finds a command by its names, as the command line does. */
function findCommand(...names: string[]): string | undefined {
  let command = program
  for (const name of names) {
    const found = command.commands.find((each) => [each.name(), ...each.aliases()].includes(name))
    if (found === undefined) return undefined
    command = found
  }
  return command.name()
}

test.each(CATALOG)(
  '$group $command also has its names with underscores or hyphens',
  ({ group, command, key }) => {
    const names = [command, key].flatMap((name) => [name.replaceAll('-', '_'), name.replaceAll('_', '-')])
    for (const name of names) {
      expect(findCommand(group, name), name).toBe(command)
      expect(findCommand('quote', group, name), name).toBe(command)
    }
  },
)
