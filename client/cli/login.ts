import { hostname } from 'node:os'
import { Command } from 'commander'
import { Media, type MediaOptions } from '../node/index.ts'
import { configPath, readConfig, removeConfig, writeConfig } from './config.ts'
import { UsageError } from './exit-codes.ts'
import { ask, readLines } from './prompt.ts'
import { type GlobalOptions, openSession } from './session.ts'

type Connection = Pick<MediaOptions, 'apiUrl' | 'language'>

/** Creates the commands that store, remove, and show the credential. */
export function accountCommands(): Command[] {
  const login = new Command('login')
    .description('Store an API key, or sign in with an email address and create one')
    .option('--email <address>', 'Sign in to this account and create a key')
    .addHelpText(
      'after',
      '\nWithout a terminal, the key, or the password with --email, is read from standard input.',
    )
  login.action(() => logIn(login))
  const logout = new Command('logout').description('Remove the stored API key').action(async () => {
    await removeConfig()
    process.stderr.write(`Removed ${configPath()}\n`)
  })
  const whoami = new Command('whoami').description('Show the account and its balance')
  whoami.action(async () => {
    const session = await openSession(whoami)
    const ping = await session.media.me.ping({ signal: session.signal })
    session.print(ping, `${ping.email}\n${ping.balance} credits`)
  })
  return [login, logout, whoami]
}

async function logIn(command: Command): Promise<void> {
  const options = command.optsWithGlobals<GlobalOptions & { email?: string }>()
  const stored = await readConfig()
  const known = options.apiUrl ?? (process.env.MEDIA_API_URL || stored.api_url)
  const isInteractive = process.stdin.isTTY === true
  const apiUrl = known ?? (isInteractive ? await ask('API URL: ') : '')
  if (!URL.canParse(apiUrl))
    throw new UsageError('The API URL is unknown. Use --api-url, or set MEDIA_API_URL.')
  const connection = { apiUrl, ...(options.locale !== undefined && { language: options.locale }) }
  const apiKey =
    options.apiKey ??
    (isInteractive ? await askKey(connection, options.email) : await readKey(connection, options.email))
  const { email, balance } = await new Media({ ...connection, apiKey }).me.ping()
  await writeConfig({ api_url: apiUrl, api_key: apiKey })
  process.stderr.write(`Signed in as ${email} with ${balance} credits. The key is in ${configPath()}\n`)
}

async function askKey(connection: Connection, email: string | undefined): Promise<string> {
  if (email === undefined) {
    const key = await ask('API key (press Enter to create one with your password): ', { isSecret: true })
    if (key !== '') return key
  }
  const address = email ?? (await ask('Email: '))
  return createKey(connection, address, await ask('Password: ', { isSecret: true }))
}

async function readKey(connection: Connection, email: string | undefined): Promise<string> {
  const [line = ''] = await readLines()
  if (line === '') throw new UsageError('Standard input is empty. Write the API key to it, or use --api-key.')
  return email === undefined ? line : createKey(connection, email, line)
}

async function createKey(connection: Connection, email: string, password: string): Promise<string> {
  const { access_token } = await new Media(connection).auth.login({ email, password })
  const session = new Media({ ...connection, apiKey: access_token })
  const { plaintext } = await session.apiKeys.create({ name: `media on ${hostname()}`.slice(0, 64) })
  return plaintext
}
