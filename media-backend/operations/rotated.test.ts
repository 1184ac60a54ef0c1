import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { makeClip } from '../testing/clips.ts'
import { withFile } from '../testing/describe-image.ts'
import { decodeFrame, type Frame } from '../testing/frames.ts'
import { type Matrix, withMatrix } from '../testing/matrix.ts'
import { carryOut, operate } from '../testing/operate.ts'

/** ffmpeg options for a gray video whose stored frames have a colored upper left quarter. */
const videoInput = (color: string, size: string, seconds: number) => [
  ...['-f', 'lavfi', '-i', `color=gray:s=${size}:r=25:d=${seconds}`],
  ...['-vf', `drawbox=w=iw/2:h=ih/2:t=fill:color=${color}`],
  ...['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '10', '-pix_fmt', 'yuv420p'],
]

const QUARTER_TURN: Matrix = [0, 1, -1, 0]

function expectColor(frame: Frame, x: number, y: number, color: 'red' | 'blue' | 'gray' | 'black'): void {
  const wanted = { red: [255, 0, 0], blue: [0, 0, 255], gray: [128, 128, 128], black: [0, 0, 0] }[color]
  const shown = frame.colorAt(x, y)
  for (const [index, value] of shown.entries())
    expect(Math.abs(value - (wanted[index] ?? 0))).toBeLessThan(30)
}

test.each<[string, Matrix, number, number]>([
  ['rotated by a quarter turn', QUARTER_TURN, 48, 32],
  ['rotated by half a turn', [-1, 0, 0, -1], 72, 48],
  ['flipped vertically', [1, 0, 0, -1], 24, 48],
  ['flipped and rotated by a quarter turn', [0, 1, 1, 0], 16, 32],
])('a clip that is %s is encoded upright, and declares no rotation', async (_, matrix, x, y) => {
  const clip = withMatrix(await makeClip('corner.mp4', videoInput('red', '96x64', 1)), matrix)
  const { path, output, input } = await operate(clip, ['compress', { preset: 'ultrafast', crf: 28 }])
  const { width, height } = input.video
  expect(output.video).toMatchObject({ width, height, rotation_degrees: 0 })
  expect(output.video).not.toHaveProperty('mirrored')
  const frame = await decodeFrame(await readFile(path))
  expectColor(frame, x, y, 'red')
  expectColor(frame, width - x, height - y, 'gray')
})

/**
 * Makes two seconds with a red corner, then two with a blue corner in a different frame size, all rotated by a
 * quarter turn.
 */
async function changing(): Promise<Buffer> {
  const parts = [
    await makeClip('first.mp4', videoInput('red', '96x64', 2)),
    await makeClip('second.mp4', videoInput('blue', '128x192', 2)),
  ] as const
  const joined = await withFile(parts[0], (first) =>
    withFile(parts[1], (second) =>
      withFile(`file '${first}'\nfile '${second}'\n`, (list) =>
        makeClip('joined.mp4', ['-f', 'concat', '-safe', '0', '-i', list, '-c', 'copy']),
      ),
    ),
  )
  return withMatrix(joined, QUARTER_TURN)
}

/**
 * Expects a frame of the second part. The result keeps the frame size of the first part, 64 x 96, so the second part is
 * scaled to 64 x 43 and centered between bars.
 */
function requireSecond(frame: Frame): void {
  expect([frame.width, frame.height]).toEqual([64, 96])
  expectColor(frame, 48, 36, 'blue')
  expectColor(frame, 16, 60, 'gray')
  expectColor(frame, 48, 12, 'black')
}

test.each([
  ['trim', { start: 1, duration: 2 }],
  ['gif', { start: 1, duration: 2 }],
] as const)('a rotated clip whose frame size changes keeps the first size: %s', async (key, params) => {
  const { path } = await carryOut(await changing(), [key, params])
  const content = await readFile(path)
  const first = await decodeFrame(content, 0.5)
  expectColor(first, 48, 24, 'red')
  expectColor(first, 16, 72, 'gray')
  requireSecond(await decodeFrame(content, 1.5))
})

test('a thumbnail of a rotated clip is upright as well', async () => {
  const { path } = await carryOut(await changing(), ['thumbnail', { at: 3, format: 'png' }])
  requireSecond(await decodeFrame(await readFile(path)))
})
