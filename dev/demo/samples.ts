import { execFile } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { drawLogo, drawPhoto, drawWidePhoto } from './draw.ts'

const run = promisify(execFile)

/** Input files for the operations. They are small, so a whole run takes one to two minutes. */
export const SAMPLES = {
  clip: 'clip.mp4',
  talk: 'talk.mp4',
  noisy: 'noisy.mp4',
  music: 'music.mp3',
  photo: 'photo.jpg',
  logo: 'logo.png',
  hdr: 'hdr.webm',
  long: 'long.mp4',
  animation: 'animation.avif',
  wide: 'wide.avif',
} as const
export type Sample = keyof typeof SAMPLES

/** Recorded speech from the system package `pocketsphinx-testdata`. */
const VOICES = '/usr/share/pocketsphinx/test/data/librivox'
const voice = (number: string) => ['-i', `${VOICES}/sense_and_sensibility_01_austen_64kb-${number}.wav`]
const testVideo = (seconds: number, size = '320x180') => [
  '-f',
  'lavfi',
  '-i',
  `testsrc2=size=${size}:rate=25:duration=${seconds}`,
]
/** The colors of the clip as HDR10, with its white at 203 cd/m². */
const TO_HDR = [
  'zscale=pin=bt709:tin=bt709:min=bt709:rin=limited:p=bt2020:t=smpte2084:m=bt2020nc:npl=203',
  'format=yuv420p10le',
].join()
const X264 = ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '18', '-pix_fmt', 'yuv420p', '-g', '25']
const AUDIO = ['-c:a', 'aac', '-ar', '48000', '-shortest']
const TAGS = ['-metadata', 'title=A clip', '-metadata', 'location=+48.2082+016.3738/']

const DRAWINGS = { photo: drawPhoto, wide: drawWidePhoto, logo: drawLogo }

/** The ffmpeg arguments for each sample. Images are drawn with sharp instead. */
const RECIPES: Record<Exclude<Sample, keyof typeof DRAWINGS>, readonly string[]> = {
  clip: [
    ...testVideo(4),
    '-f',
    'lavfi',
    '-i',
    'sine=frequency=330:beep_factor=3:duration=4',
    ...X264,
    ...AUDIO,
    ...TAGS,
  ],
  // Two sentences separated by a pause that `auto_edit` removes.
  talk: [
    ...testVideo(9),
    ...[...voice('0880'), ...voice('0930')],
    ...['-filter_complex', '[1]apad=pad_dur=2.5[first];[first][2]concat=n=2:v=0:a=1[audio]'],
    ...['-map', '0:v', '-map', '[audio]', ...X264, ...AUDIO],
  ],
  noisy: [
    ...testVideo(4),
    ...voice('0930'),
    ...['-f', 'lavfi', '-i', 'anoisesrc=color=pink:amplitude=0.03:seed=1:duration=4'],
    ...['-filter_complex', '[1]volume=0.4,apad[voice];[voice][2]amix=inputs=2:normalize=0[audio]'],
    ...['-map', '0:v', '-map', '[audio]', ...X264, ...AUDIO],
  ],
  music: [
    '-f',
    'lavfi',
    '-i',
    'aevalsrc=0.2*sin(523*PI*t)+0.2*sin(659*PI*t)+0.2*sin(784*PI*t):d=3',
    '-b:a',
    '96k',
  ],
  hdr: [
    ...testVideo(4),
    ...[
      '-vf',
      TO_HDR,
      '-c:v',
      'libvpx-vp9',
      '-crf',
      '20',
      '-b:v',
      '0',
      '-deadline',
      'realtime',
      '-cpu-used',
      '8',
    ],
  ],
  long: [...testVideo(24, '1280x720'), ...X264],
  animation: [...testVideo(2), '-r', '10', '-c:v', 'libaom-av1', '-cpu-used', '8', '-crf', '30'],
}

/** Is true if the recorded speech is installed on this machine. */
export const HAS_VOICES = existsSync(VOICES)

/**
 * Creates the samples that do not exist yet.
 * @returns the path of each sample
 */
export async function makeSamples(folder: string): Promise<Map<Sample, string>> {
  mkdirSync(folder, { recursive: true })
  const made = new Map<Sample, string>()
  for (const sample of Object.keys(SAMPLES) as Sample[]) {
    if ((sample === 'talk' || sample === 'noisy') && !HAS_VOICES) continue
    const file = join(folder, SAMPLES[sample])
    if (!existsSync(file)) await makeSample(sample, file)
    made.set(sample, file)
  }
  return made
}

/** Writes to a temporary name first, so an interrupted run leaves no truncated sample. */
async function makeSample(sample: Sample, file: string): Promise<void> {
  const part = file.replace(/(\.\w+)$/, '-unfinished$1')
  if (isDrawn(sample)) await DRAWINGS[sample](part)
  else await run('ffmpeg', ['-v', 'error', '-nostdin', '-y', ...RECIPES[sample], part])
  await rename(part, file)
}

function isDrawn(sample: Sample): sample is keyof typeof DRAWINGS {
  return sample in DRAWINGS
}
