import { makeClip } from './clips.ts'

/** Recordings of human speech, with their texts, from Debian's pocketsphinx-testdata. */
export const SPEECH_FOLDER = '/usr/share/pocketsphinx/test/data/librivox'
export const recording = (number: string) =>
  `${SPEECH_FOLDER}/sense_and_sensibility_01_austen_64kb-${number}.wav`

export const SAID = [
  'he was not an ill disposed young man',
  'he might even have been made amiable himself',
] as const

export const PAUSE_SECONDS = 2.5

/** Makes an 8.8 s video of the two sentences, with a pause between them and a frame counter. */
export function talk(size = '320x180', options: readonly string[] = []): Promise<Buffer> {
  const graph = `[1]apad=pad_dur=${PAUSE_SECONDS}[first];[first][2]concat=n=2:v=0:a=1[audio]`
  return makeClip(`talk-${size}${options.length}.mp4`, [
    ...['-f', 'lavfi', '-i', `testsrc2=size=${size}:rate=25`],
    ...['-i', recording('0880'), '-i', recording('0930')],
    ...['-filter_complex', graph, '-map', '0:v', '-map', '[audio]', '-shortest', '-ar', '48000'],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', ...options],
  ])
}

/** Makes a 3.3 s video of one sentence. */
export function sentence(): Promise<Buffer> {
  return makeClip('sentence.mp4', [
    ...['-f', 'lavfi', '-i', 'testsrc2=size=160x90:rate=25', '-i', recording('0930'), '-shortest'],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '25'],
    ...['-c:a', 'aac', '-ar', '44100'],
  ])
}

/** Makes a video in which the second sentence is spoken twice, half a second apart. */
export function retake(): Promise<Buffer> {
  const graph = '[1]apad=pad_dur=0.5[first];[first][2]concat=n=2:v=0:a=1[audio]'
  return makeClip('retake.mp4', [
    ...['-f', 'lavfi', '-i', 'testsrc2=size=64x64:rate=25', '-i', recording('0930'), '-i', recording('0930')],
    ...['-filter_complex', graph, '-map', '0:v', '-map', '[audio]', '-shortest', '-ar', '48000'],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'],
  ])
}

/** Makes 9 s of three simultaneous voices without a pause, in the format that the engine expects. */
export function babble(): Promise<Buffer> {
  const voices = ['0880', '0870', '0890'].flatMap((number) => ['-stream_loop', '-1', '-i', recording(number)])
  return makeClip('babble.wav', [
    ...voices,
    ...['-filter_complex', '[0][1][2]amix=3', '-t', '9', '-ac', '1', '-ar', '16000', '-bitexact'],
  ])
}

/** Makes a recording of one voice that speaks without pauses, in the format that the engine expects. */
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
