import { execFile } from 'node:child_process'
import { copyFile, mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Client } from '../dev/client.ts'
import { parseEnvironment } from '../media-backend/environment.ts'
import { probeVideo } from '../media-backend/probe/probe.ts'
import { ffmpegArguments } from '../media-backend/runtime/ffmpeg-command.ts'
import { compress } from '../shared/operations/video/compress.ts'
import { SOURCE } from '../shared/planning/steps.ts'
import { makePhoneClip } from './inputs.ts'
import { submitWithApiKey, waitForFinishTime } from './jobs.ts'
import { type Measure, measureBoth } from './measure.ts'

const ENCODE_SECONDS_MIN = 10
const CLIP_SECONDS = 20
/** A given rate factor, so that the job does not search for one and both sides encode with the same arguments. */
const PARAMS = { crf: 28 }

/** Compares a long encode, from submit to done, with raw ffmpeg using the same arguments and file. */
export const encode: Measure = {
  name: 'encode',
  title: 'video/compress from submit to done, against raw ffmpeg with the same arguments on the same file',
  unit: 's',
  goal: 1.03,
  direction: 'at most',
  needsSystem: true,
  async open(bench) {
    const { client } = await bench.system().openAccount()
    const folder = join(bench.folder, 'encode')
    await mkdir(folder)
    const { clip, args } = await makeLongClip(folder)
    const file_url = await client.upload(clip, 'video/mp4')
    return {
      round: (order) =>
        measureBoth(
          order,
          () => timeJob(client, file_url),
          () => timeFfmpeg(args),
        ),
      close: async () => {},
    }
  },
}

/** Doubles the length of a phone video until ffmpeg alone takes at least ENCODE_SECONDS_MIN to encode it. */
async function makeLongClip(folder: string): Promise<{ clip: string; args: string[] }> {
  for (let seconds = CLIP_SECONDS; ; seconds *= 2) {
    const clip = await makePhoneClip(folder, seconds)
    await copyFile(clip, join(folder, SOURCE))
    const args = await planArguments(folder)
    if ((await timeFfmpeg(args)) >= ENCODE_SECONDS_MIN) return { clip, args }
  }
}

/** Builds ffmpeg arguments as the fleet does: probe, plan, command. */
async function planArguments(folder: string): Promise<string[]> {
  const unused = 'http://127.0.0.1:1'
  const environment = parseEnvironment({
    EDGE_URL: unused,
    S3_ENDPOINT: unused,
    FLEET_KEYS: Buffer.from('unused').toString('base64'),
    S3_ACCESS_KEY_ID: 'unused',
    S3_SECRET_ACCESS_KEY: 'unused',
  })
  const run = { folder, environment, signal: new AbortController().signal }
  const probe = await probeVideo(join(folder, SOURCE), run)
  const plan = compress.plan({ params: compress.parameters.parse(PARAMS), facts: { probe } })
  if ('refused' in plan) throw new Error(plan.refused.message.en)
  const [step] = plan.steps
  if (step?.kind !== 'ffmpeg') throw new Error('The plan does not start with an ffmpeg step')
  const [global, ...rest] = ffmpegArguments(step, folder)
  return ['-y', global ?? '', ...rest]
}

async function timeFfmpeg(args: string[]): Promise<number> {
  const start = performance.now()
  await promisify(execFile)('ffmpeg', args, { maxBuffer: 16 * 1024 * 1024 })
  const seconds = (performance.now() - start) / 1000
  const output = args.at(-1)?.replace(/^file:/, '') ?? ''
  if ((await stat(output)).size === 0) throw new Error('ffmpeg wrote an empty file')
  return seconds
}

async function timeJob(client: Client, file_url: string): Promise<number> {
  const start_ms = Date.now()
  const submission = { service_slug: 'video', operation_key: 'compress', params: { file_url, ...PARAMS } }
  const id = await submitWithApiKey(client, submission)
  return ((await waitForFinishTime(client, id)) - start_ms) / 1000
}
