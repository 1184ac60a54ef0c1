import { expect, test } from 'vitest'
import { sampleProbe } from '../../planning/sample-facts.ts'
import { blur_bg } from './blur_bg.ts'

function editOf(params: Record<string, unknown>, width: number, height: number) {
  const probe = sampleProbe({}, { width, height })
  const edit = blur_bg.edit?.({ params: blur_bg.parameters.parse(params), facts: { probe } })
  if (edit === undefined || 'refused' in edit || !('cut' in edit)) throw new Error('blur_bg is an edit')
  const own = (name: string) => `[${name}]`
  const graph = edit.video?.({ input: '[in]', output: '[out]', own, file: own, track: 0 }) ?? ''
  return { graph, size: `${edit.after.video.width}x${edit.after.video.height}` }
}

test.each([
  [{}, 1920, 1080, '1080x1920', 'scale=1080:608'],
  [{}, 3840, 2160, '1080x1920', 'scale=1080:608'],
  [{}, 1080, 1920, '1080x1920', 'scale=1080:1920'],
  [{ aspect: '16:9' }, 1080, 1920, '1920x1080', 'scale=608:1080'],
  [{ aspect: '1:1' }, 640, 360, '640x640', 'scale=640:360'],
  [{ aspect: '1:1', resolution: 480 }, 640, 360, '480x480', 'scale=480:270'],
  [{ aspect: '16:9', resolution: 720 }, 640, 640, '1280x720', 'scale=720:720'],
  [{ aspect: '4:5', scale: 0.5 }, 1080, 1080, '1080x1350', 'scale=540:540'],
  [{}, 641, 359, '642x1140', 'scale=642:360'],
])('%j of %i x %i becomes %s, with the video at %s', (params, width, height, size, fitted) => {
  const result = editOf(params, width, height)
  expect(result.size).toBe(size)
  expect(result.graph).toContain(`[before]${fitted},setsar=1[fitted]`)
})

test('centers the video at even offsets', () => {
  expect(editOf({}, 1920, 1080).graph).toContain('overlay=x=0:y=656[out]')
})

test('scales the blur with the canvas size', () => {
  const sigma = (blur: number) => Number(/sigma=([\d.]+)/.exec(editOf({ blur }, 1920, 1080).graph)?.[1])
  expect(sigma(10)).toBeCloseTo(5.4)
  expect(sigma(100)).toBeCloseTo(54)
})
