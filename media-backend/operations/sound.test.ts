import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeClip } from '../testing/clips.ts'
import { inspect, packetHashes } from '../testing/operate.ts'
import { type JobRunner, startJobRunner } from '../testing/run-job.ts'
import { withFile } from '../testing/look.ts'

const execute = promisify(execFile)

let jobs: JobRunner
beforeAll(async () => {
  jobs = await startJobRunner()
})
afterAll(() => jobs.close())

const picture = (seconds: number) => ['-f', 'lavfi', '-i', `testsrc2=s=64x64:r=10:d=${seconds}`]
const lavfi = (graph: string) => ['-f', 'lavfi', '-i', graph]
const CODED = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p']

/** Eight seconds of a human voice (pocketsphinx-testdata) with a pause in it, made of ffmpeg's filters. */
function voice(name: string, filters = 'anull', sound = ['-c:a', 'aac', '-b:a', '192k']): Promise<Buffer> {
  const recording = '/usr/share/pocketsphinx/test/data/librivox/sense_and_sensibility_01_austen_64kb-0870.wav'
  const graph = `[1]aresample=48000,atrim=end=6.5,apad=whole_dur=8,${filters}[sound]`
  return makeClip(`voice-${name}`, [
    ...[...picture(8), '-i', recording, '-filter_complex', graph],
    ...['-map', '0:v', '-map', '[sound]', ...CODED, ...sound],
  ])
}

/** EBU R128 of a part of the first sound track. */
async function loudness(path: string, start = 0, end = 1000): Promise<{ lufs: number; peak: number }> {
  const filters = `atrim=start=${start}:end=${end},ebur128=peak=true`
  const args = ['-hide_banner', '-nostdin', '-i', path, '-map', '0:a:0', '-af', filters, '-f', 'null', '-']
  const { stderr } = await execute('ffmpeg', args, { maxBuffer: 16 * 1024 * 1024 })
  const last = (pattern: RegExp) => Number([...stderr.matchAll(pattern)].at(-1)?.[1])
  return { lufs: last(/^\s+I:\s+(\S+) LUFS/gm), peak: last(/^\s+Peak:\s+(\S+) dBFS/gm) }
}

/** RMS in dBFS of a band around a tone, in a part of the first sound track. */
async function toneLevel(path: string, hertz: number, start: number, end: number): Promise<number> {
  const filters = `atrim=start=${start}:end=${end},bandpass=f=${hertz}:width_type=h:w=60,volumedetect`
  const args = ['-hide_banner', '-nostdin', '-i', path, '-map', '0:a:0', '-af', filters, '-f', 'null', '-']
  const { stderr } = await execute('ffmpeg', args)
  return Number(/mean_volume: (\S+) dB/.exec(stderr)?.[1])
}

describe('enhance_voice', () => {
  test.each([
    ['as it is', 'anull', {}, -16],
    ['a quiet recording', 'volume=-26dB', {}, -16],
    ['a loud one, strongly', 'volume=9dB,alimiter=limit=0.98:level=false', { level: 'strong' }, -16],
    ['for a music site, lightly', 'anull', { level: 'light', target_lufs: -14 }, -14],
    ['the level alone, for broadcast', 'anull', { denoise: false, deess: false, compress: false, target_lufs: -23 }, -23],
    ['with claps', "aeval=exprs='val(0)+if(lt(mod(t,2),0.004),0.9,0)'", { compress: false }, -16],
  ])('%s: within 1 LU of the target, its peaks under -1 dBTP, the picture copied', async (name, filter, params, target) => {
    const clip = await voice(`${name.replaceAll(' ', '-')}.mp4`, filter)
    const { path, outcome } = await jobs.run({ operation_key: 'enhance_voice', params }, { input: clip })
    const { lufs, peak } = await loudness(path)
    console.log(name, lufs, peak, JSON.stringify(outcome.body))
    expect(Math.abs(lufs - target)).toBeLessThanOrEqual(1)
    expect(peak).toBeLessThanOrEqual(-1)
    expect(outcome.body).toMatchObject({ encode_mode: 'video_copy', format: 'mp4' })
    const hashes = await withFile(clip, (source) => packetHashes(source, 'v'))
    expect(await packetHashes(path, 'v')).toEqual(hashes)
  })
})
