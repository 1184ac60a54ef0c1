import { Command, CommanderError } from 'commander'
import { opsCommand, quoteCommand } from './catalog-commands.ts'
import { completionCommands } from './completions.ts'
import { describeError, EXIT, exitCodeOf, explainError, UsageError } from './exit-codes.ts'
import { jobsCommand } from './jobs-commands.ts'
import { listenCommand } from './listen.ts'
import { accountCommands } from './login.ts'
import { operationCommands } from './operation-commands.ts'

const AFTER_HELP = `
Exit codes: 0 done, 1 a job failed, 2 usage, 3 credentials, 4 credits, 5 network or service, 130 interrupted

Examples:
  media image resize *.jpg --width 800 -o out/
  media video compress a.mp4 --level strong
  media links info https://example.com/watch
  media jobs ls --status failed`

/** Creates the program with all of its commands. */
export function makeProgram(): Command {
  const program = new Command('media')
    .description('Processes videos, images and links')
    .version('0.1.0', '-V, --version', 'Print the version')
    .option('--json', 'Print one JSON object per line, for programs')
    .option('-q, --quiet', 'Print no progress')
    .option('--api-key <key>', 'API key. Default: MEDIA_API_KEY, or the key of `media login`')
    .option('--api-url <url>', 'API URL. Default: MEDIA_API_URL, or the URL of `media login`')
    .option('--locale <language>', 'Language of the messages of the service, such as uk. Default: English')
    .helpCommand('help [command]', 'Show the help of a command')
    .addHelpText('after', AFTER_HELP)
  for (const command of operationCommands()) program.addCommand(command)
  program
    .addCommand(jobsCommand())
    .addCommand(quoteCommand())
    .addCommand(opsCommand())
    .addCommand(listenCommand())
  for (const command of accountCommands()) program.addCommand(command)
  const { visible, hidden } = completionCommands(program)
  program.addCommand(visible).addCommand(hidden, { hidden: true })
  visitCommands(program, (command) => {
    command
      .exitOverride()
      .helpOption('-h, --help', 'Show this help')
      .showSuggestionAfterError()
      .configureHelp({
        showGlobalOptions: command !== program,
        // The descriptions of parameters already list choices and defaults.
        optionDescription: (option) => option.description,
      })
  })
  return program
}

function visitCommands(command: Command, visit: (command: Command) => void): void {
  visit(command)
  for (const each of command.commands) visitCommands(each, visit)
}

/** Runs a command line and returns its exit code. */
export async function runProgram(words: readonly string[]): Promise<number> {
  try {
    await makeProgram().parseAsync(words, { from: 'user' })
    return Number(process.exitCode ?? EXIT.ok)
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') return EXIT.interrupted
    const isJson = words.includes('--json')
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return EXIT.ok
      // Commander has already written the message for people.
      if (isJson) printError(new UsageError(error.message.replace(/^error: /, '')))
      return EXIT.usage
    }
    if (isJson) printError(error)
    process.stderr.write(`media: ${explainError(error)}\n`)
    return exitCodeOf(error)
  }
}

function printError(error: unknown): void {
  process.stdout.write(`${JSON.stringify({ error: describeError(error) })}\n`)
}
