import { Argument, type Command, Command as NewCommand } from 'commander'

const SHELLS = ['bash', 'zsh', 'fish'] as const
type Shell = (typeof SHELLS)[number]

/** Scripts that ask the hidden `complete` command for candidates. If there are none, they complete paths. */
const SCRIPTS: Record<Shell, string> = {
  bash: `_media() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -W "$(media complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _media media
`,
  zsh: `#compdef media
_media() {
  local -a candidates
  candidates=("\${(@f)$(media complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "$candidates" ]]; then compadd -- $candidates; else _files; fi
}
if [[ "$funcstack[1]" == _media ]]; then _media "$@"; else compdef _media media; fi
`,
  fish: `function __media_complete
  set -l words (commandline -opc) (commandline -ct)
  media complete -- $words[2..-1] 2>/dev/null
end
complete -c media -f -a '(__media_complete)'
complete -c media -F -n 'not count (__media_complete) > /dev/null'
`,
}

const INSTALL_HELP = `
  media completions bash >> ~/.bashrc
  media completions zsh > "\${fpath[1]}/_media"
  media completions fish > ~/.config/fish/completions/media.fish`

/** Creates the `completions` command and the hidden `complete` command. */
export function completionCommands(program: Command): { visible: Command; hidden: Command } {
  const visible = new NewCommand('completions')
    .description('Print a script that completes commands and options in a shell')
    .addArgument(new Argument('<shell>').choices(SHELLS))
    .addHelpText('after', INSTALL_HELP)
    .action((shell: Shell) => void process.stdout.write(SCRIPTS[shell]))
  const hidden = new NewCommand('complete').argument('[words...]').action(
    (words: string[]) =>
      void process.stdout.write(
        listCandidates(program, words)
          .map((word) => `${word}\n`)
          .join(''),
      ),
  )
  return { visible, hidden }
}

/** Returns the completions of the last word of a command line. */
export function listCandidates(program: Command, words: readonly string[]): string[] {
  let command = program
  for (const word of words.slice(0, -1)) {
    command =
      command.commands.find((each) => each.name() === word || each.aliases().includes(word)) ?? command
  }
  const last = words.at(-1) ?? ''
  const choices = choicesOf(command, words.at(-2))
  if (choices !== null) return choices.filter((choice) => choice.startsWith(last))
  const visible = command.createHelp()
  const names = last.startsWith('-')
    ? [...visible.visibleOptions(command), ...program.options].flatMap(({ long }) => long ?? [])
    : [
        ...visible.visibleCommands(command).map((each) => each.name()),
        ...command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
      ]
  return [...new Set(names)].filter((name) => name.startsWith(last))
}

/** Returns the allowed values of the option before the unfinished word, or null if it has none. */
function choicesOf(command: Command, previous: string | undefined): string[] | null {
  const option = command.options.find(
    ({ long, short }) => previous !== undefined && [long, short].includes(previous),
  )
  if (option === undefined || option.isBoolean()) return null
  return option.argChoices ?? []
}
