import { execFile } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { drawLogo, drawPhoto } from './draw.ts'

const run = promisify(execFile)

/** The files that the operations are tried on: small, so that all of them take a minute or two. */
export const SAMPLES = {
  clip: 'clip.mp4',
  talk: 'talk.mp4',
  noisy: 'noisy.mp4',
  music: 'music.mp3',
  photo: 'photo.jpg',
  logo: 'logo.png',
} as const
export type Sample = keyof typeof SAMPLES

/** Recordings of a human voice that come with the system's package pocketsphinx-testdata. */
const VOICES = '/usr/share/pocketsphinx/test/data/librivox'
const voice = (number: string) => ['-i', `${VOICES}/sense_and_sensibility_01_austen_64kb-${number}.wav`]
const picture = (seconds: number) => [
  '-f',
  'lavfi',
  '-i',
  `testsrc2=size=320x180:rate=25:duration=${seconds}`,
]
const X264 = ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '18', '-pix_fmt', 'yuv420p', '-g', '25']
const SOUND = ['-c:a', 'aac', '-ar', '48000', '-shortest']
const TAGS = ['-metadata', 'title=A clip', '-metadata', 'location=+48.2082+016.3738/']

/** By what ffmpeg makes each of them; pictures are drawn below. */
const RECIPES: Record<'clip' | 'talk' | 'noisy' | 'music', readonly string[]> = {
  clip: [
    ...picture(4),
    '-f',
    'lavfi',
    '-i',
    'sine=frequency=330:beep_factor=3:duration=4',
    ...X264,
    ...SOUND,
    ...TAGS,
  ],
  // Two sentences with a pause between them that a cutter would take out.
  talk: [
    ...picture(9),
    ...[...voice('0880'), ...voice('0930')],
    ...['-filter_complex', '[1]apad=pad_dur=2.5[first];[first][2]concat=n=2:v=0:a=1[sound]'],
    ...['-map', '0:v', '-map', '[sound]', ...X264, ...SOUND],
  ],
  noisy: [
    ...picture(4),
    ...voice('0930'),
    ...['-f', 'lavfi', '-i', 'anoisesrc=color=pink:amplitude=0.03:seed=1:duration=4'],
    ...['-filter_complex', '[1]volume=0.4,apad[voice];[voice][2]amix=inputs=2:normalize=0[sound]'],
    ...['-map', '0:v', '-map', '[sound]', ...X264, ...SOUND],
  ],
  music: [
    '-f',
    'lavfi',
    '-i',
    'aevalsrc=0.2*sin(523*PI*t)+0.2*sin(659*PI*t)+0.2*sin(784*PI*t):d=3',
    '-b:a',
    '96k',
  ],
}

/** Whether the speech that recognition is tried on is installed on this machine. */
export const HAS_VOICES = existsSync(VOICES)

/** Makes whatever is not there yet, and answers the path of each. */
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

/** Under another name first: what an interrupt leaves behind is not taken for a sample. */
async function makeSample(sample: Sample, file: string): Promise<void> {
  const part = file.replace(/(\.\w+)$/, '-unfinished$1')
  if (sample === 'photo') await drawPhoto(part)
  else if (sample === 'logo') await drawLogo(part)
  else await run('ffmpeg', ['-v', 'error', '-nostdin', '-y', ...RECIPES[sample], part])
  await rename(part, file)
}
