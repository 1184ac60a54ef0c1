import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base } from 'vitest'
import { findFreePorts, LOOPBACK } from '../../dev/system/ports.ts'
import { type Line, openLine } from '../system/line.ts'
import { startTestSystem, type TestSystem } from '../system/start-test-system.ts'
import { startBotApi } from './bot-api.ts'
import { HASTY, NEVER_MS } from './own-system.ts'
import { describeMedia } from './probe-media.ts'

/** The bot that the second system speaks as. */
export const BOT = {
  id: 4242,
  username: 'round_video_bot',
  token: '4242:known-bot',
  secret: 'a-word-of-our-own',
}

export interface SecondSystem extends TestSystem {
  /** The way of the fleet's reports to the edge, which a test can cut. Storage is reached as ever. */
  line: Line
  /** Which parts ended though nobody asked them to, since the file began. */
  deaths: string[]
  /** Where the edge reaches the messenger, and tests what it did there. */
  bot_api_url: string
}

/**
 * One for all files that need it, since a start costs many seconds: the first file starts it, and it ends with
 * the last. What is scheduled runs when a test says so.
 */
const test = base
  .extend('ports', { scope: 'worker' }, () => findFreePorts())
  .extend('neighbours', { scope: 'worker' }, async ({ ports }, { onCleanup }) => {
    const [line, botApi] = await Promise.all([openLine(ports.edge), startBotApi(lookAtVideo)])
    onCleanup(async () => {
      await Promise.all([line.close(), botApi.stop()])
    })
    return { line, botApi }
  })
  .extend(
    'second',
    { scope: 'worker' },
    async ({ ports, neighbours }, { onCleanup }): Promise<SecondSystem> => {
      const { line, botApi } = neighbours
      const deaths: string[] = []
      const system = await startTestSystem({
        ports,
        fleet: { ...HASTY, EDGE_URL: `http://${LOOPBACK}:${line.port}` },
        edge: {
          MESSENGER_BOTS: `${BOT.id}:${BOT.username}:${BOT.token}:${BOT.secret}`,
          TELEGRAM_API_URL: botApi.url,
        },
        cron_interval_ms: NEVER_MS,
        onExit: (part, reason) => deaths.push(`${part.name} exited ${reason}`),
      })
      onCleanup(() => system.stop())
      return { ...system, line, deaths, bot_api_url: botApi.url }
    },
  )

/** A system beside the one of all tests, any part of which may be broken: whoever breaks it mends it. */
export function useSecondSystem(): () => SecondSystem {
  let system: SecondSystem | null = null
  test.beforeAll(async ({ second }) => {
    system = second
    await mend(second)
    second.deaths.splice(0)
  })
  return () => {
    if (system === null) throw new Error('the system has not started')
    return system
  }
}

/** A test that fails leaves broken what it broke; the tests of other files are none the worse for it. */
async function mend({ parts, line }: SecondSystem): Promise<void> {
  line.mend()
  for (const part of Object.values(parts)) {
    if (part.pid === null) await part.start()
    else part.signal('SIGCONT')
  }
}

/** What ffprobe says of a video that the bot sent. */
async function lookAtVideo(bytes: Buffer) {
  const folder = await mkdtemp(join(tmpdir(), 'media-bot-'))
  try {
    const file = join(folder, 'video.mp4')
    await writeFile(file, bytes)
    const { seconds, picture } = await describeMedia(file)
    return { width: picture?.width ?? 0, height: picture?.height ?? 0, seconds }
  } finally {
    await rm(folder, { recursive: true })
  }
}
