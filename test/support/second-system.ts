import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base } from 'vitest'
import { closeLines, type Lines, openLines } from '../../dev/faults/lines.ts'
import { findFreePorts } from '../../dev/system/ports.ts'
import { type Line, openLine } from '../system/line.ts'
import { startTestSystem, type TestSystem } from '../system/start-test-system.ts'
import { startBotApi } from './bot-api.ts'
import { type Collector, startCollector } from './collector.ts'
import { FAST_RECOVERY, NEVER_MS } from './own-system.ts'
import { describeMedia } from './probe-media.ts'

/** The bot of the second system. */
export const BOT = {
  id: 4242,
  username: 'round_video_bot',
  token: '4242:known-bot',
  secret: 'a-word-of-our-own',
}

export interface SecondSystem extends TestSystem {
  /** Carries the fleet's reports to the edge. A test can cut it, which does not affect storage. */
  line: Line
  /** Lines on which a test can break single requests. */
  lines: Lines
  /** Receives the spans of edge and fleet. */
  collector: Collector
  /** Parts that have exited unexpectedly since the test file began. */
  deaths: string[]
  /** The fake Bot API's URL, for the edge and for tests that read the bot's calls. */
  bot_api_url: string
}

/**
 * Shares one system between the files that need it, because starting it takes many seconds. The first file starts
 * it, and it stops after the last file. Scheduled tasks run only when a test runs them.
 */
const test = base
  .extend('ports', { scope: 'worker' }, () => findFreePorts())
  .extend('fakes', { scope: 'worker' }, async ({ ports }, { onCleanup }) => {
    const [line, botApi, collector] = await Promise.all([
      openLine(ports.edge),
      startBotApi(measureVideo),
      startCollector(),
    ])
    const lines = await openLines(ports, line.port)
    onCleanup(async () => {
      await Promise.all([line.close(), botApi.stop(), collector.close(), closeLines(lines)])
    })
    return { line, lines, botApi, collector }
  })
  .extend('second', { scope: 'worker' }, async ({ ports, fakes }, { onCleanup }): Promise<SecondSystem> => {
    const { line, lines, botApi, collector } = fakes
    const deaths: string[] = []
    const system = await startTestSystem({
      ports,
      fleet: {
        ...FAST_RECOVERY,
        // Tests queue jobs behind one short encode.
        QUICK_CONCURRENCY: '1',
        LONG_NICENESS: '0',
        EDGE_URL: lines.report.url,
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        ALLOW_PRIVATE_SOURCES: 'true',
      },
      edge: {
        DATABASE_URL: lines.commit.url,
        FLEET_URL: lines.dispatch.url,
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        // Storage and servers of customers run on this machine.
        ALLOW_PRIVATE_SOURCES: 'true',
        MAX_UPLOAD_GB: '0.03',
        MESSENGER_BOTS: `${BOT.id}:${BOT.username}:${BOT.token}:${BOT.secret}`,
        TELEGRAM_API_URL: botApi.url,
      },
      cron_interval_ms: NEVER_MS,
      onExit: (part, reason) => deaths.push(`${part.name} exited ${reason}`),
    })
    onCleanup(() => system.stop())
    return { ...system, line, lines, collector, deaths, bot_api_url: botApi.url }
  })

/** Provides a second system. A test may break any part of it but must also repair that part. */
export function useSecondSystem(): () => SecondSystem {
  let system: SecondSystem | null = null
  test.beforeAll(async ({ second }) => {
    system = second
    await repair(second)
    second.deaths.splice(0)
  })
  return () => {
    if (system === null) throw new Error('The system has not started.')
    return system
  }
}

/** Restores all parts, so a failed test does not affect tests in other files. */
async function repair({ parts, line }: SecondSystem): Promise<void> {
  line.restore()
  for (const part of Object.values(parts)) {
    if (part.pid === null) await part.start()
    else part.signal('SIGCONT')
  }
}

/** Measures a video that the bot has sent. */
async function measureVideo(bytes: Buffer) {
  const folder = await mkdtemp(join(tmpdir(), 'media-bot-'))
  try {
    const file = join(folder, 'video.mp4')
    await writeFile(file, bytes)
    const { seconds, video } = await describeMedia(file)
    return { width: video?.width ?? 0, height: video?.height ?? 0, seconds }
  } finally {
    await rm(folder, { recursive: true })
  }
}
