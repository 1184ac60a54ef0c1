import { execFile } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import sharp from 'sharp'

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

/** A landscape of hills under a low sun, with noise as a camera has it, and the EXIF of one. */
async function drawPhoto(file: string): Promise<void> {
  const hills = ['#6d83a6', '#4b6587', '#2f4a63', '#1b2f3d'].map((colour, index) => {
    const top = 250 + index * 45
    const swing = 60 - index * 10
    const curve = `C 200 ${top - swing}, 320 ${top + swing}, 480 ${top} S 700 ${top - swing}, 960 ${top + 20}`
    return `<path d="M 0 ${top} ${curve} L 960 540 L 0 540 Z" fill="${colour}"/>`
  })
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="960" height="540">
    <defs><linearGradient id="sky" x2="0" y2="1"><stop stop-color="#2b4c8c"/><stop offset=".5" stop-color="#f2b880"/></linearGradient></defs>
    <rect width="960" height="540" fill="url(#sky)"/><circle cx="660" cy="190" r="44" fill="#ffe9b8"/>${hills.join('')}</svg>`
  const noise = {
    create: {
      width: 960,
      height: 540,
      channels: 3,
      background: '#808080',
      noise: { type: 'gaussian', mean: 128, sigma: 12 },
    },
  } as const
  const grain = await sharp(noise).png().toBuffer()
  await sharp(Buffer.from(svg))
    .composite([{ input: grain, blend: 'soft-light' }])
    .withExif({
      IFD0: { Make: 'Example', Model: 'Sample camera', Software: 'Demo' },
      IFD2: { DateTimeOriginal: '2026:05:01 18:30:00' },
      IFD3: {
        GPSLatitudeRef: 'N',
        GPSLatitude: '48/1 12/1 30/1',
        GPSLongitudeRef: 'E',
        GPSLongitude: '16/1 22/1 26/1',
      },
    })
    .jpeg({ quality: 92 })
    .toFile(file)
}

async function drawLogo(file: string): Promise<void> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="240" height="240"><circle cx="120" cy="120" r="112" fill="#e4572e"/><path d="M 88 68 L 184 120 L 88 172 Z" fill="#fff"/></svg>`
  await sharp(Buffer.from(svg)).png().toFile(file)
}
