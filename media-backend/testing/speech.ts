import { makeClip } from './clips.ts'

/** Recordings of a human voice with their texts, from Debian's pocketsphinx-testdata. */
const FOLDER = '/usr/share/pocketsphinx/test/data/librivox'
const recording = (number: string) => `${FOLDER}/sense_and_sensibility_01_austen_64kb-${number}.wav`

export const SAID = [
  'he was not an ill disposed young man',
  'he might even have been made amiable himself',
] as const

export const PAUSE_SECONDS = 2.5

/** The two sentences with a pause between them, over a picture that counts its frames: 8.8 s. */
export function talk(size = '320x180', options: readonly string[] = []): Promise<Buffer> {
  const graph = `[1]apad=pad_dur=${PAUSE_SECONDS}[first];[first][2]concat=n=2:v=0:a=1[sound]`
  return makeClip(`talk-${size}${options.length}.mp4`, [
    ...['-f', 'lavfi', '-i', `testsrc2=size=${size}:rate=25`],
    ...['-i', recording('0880'), '-i', recording('0930')],
    ...['-filter_complex', graph, '-map', '0:v', '-map', '[sound]', '-shortest', '-ar', '48000'],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', ...options],
  ])
}

/** The second sentence said twice, half a second apart. */
export function retake(): Promise<Buffer> {
  const graph = '[1]apad=pad_dur=0.5[first];[first][2]concat=n=2:v=0:a=1[sound]'
  return makeClip('retake.mp4', [
    ...['-f', 'lavfi', '-i', 'testsrc2=size=64x64:rate=25', '-i', recording('0930'), '-i', recording('0930')],
    ...['-filter_complex', graph, '-map', '0:v', '-map', '[sound]', '-shortest', '-ar', '48000'],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'],
  ])
}

/** Three voices at once, without a pause: 9 s as the recogniser takes them. */
export function babble(): Promise<Buffer> {
  const voices = ['0880', '0870', '0890'].flatMap((number) => ['-stream_loop', '-1', '-i', recording(number)])
  return makeClip('babble.wav', [
    ...voices,
    ...['-filter_complex', '[0][1][2]amix=3', '-t', '9', '-ac', '1', '-ar', '16000', '-bitexact'],
  ])
}

/** One voice that goes on and on, its sentences without a pause between them, as the recogniser takes it. */
export function monologue(seconds: number): Promise<Buffer> {
  const sentences = ['0870', '0880', '0890', '0920', '0930']
  const trim = 'silenceremove=start_periods=1:start_threshold=-38dB'
  const trimmed = sentences.map((_, index) => `[${index}]${trim},areverse,${trim},areverse[${index}t]`)
  const all = `${sentences.map((_, index) => `[${index}t]`).join('')}concat=n=${sentences.length}:v=0:a=1`
  return makeClip(`monologue-${seconds}.wav`, [
    ...sentences.flatMap((number) => ['-i', recording(number)]),
    ...[
      '-filter_complex',
      `${trimmed.join(';')};${all},aloop=loop=-1:size=${seconds * 16_000}`,
      '-t',
      String(seconds),
    ],
    ...['-ac', '1', '-ar', '16000', '-bitexact'],
  ])
}
