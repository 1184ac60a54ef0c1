import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { WAVEFORM_STYLE } from '../edge/web-app/policy.ts'

test('the Content-Security-Policy allows the style element of the waveform library', () => {
  const library = readFileSync(fileURLToPath(import.meta.resolve('wavesurfer.js')), 'utf8')
  const [template = ''] = /(?<=<style[^>]*>).*?(?=<\/style>)/s.exec(library) ?? []
  // The only value in it is the height that web/editors/clip/draw-waveform.ts sets.
  const style = template.replace(/\$\{.*?\}/, '1').replaceAll('\\n', '\n')
  expect(`sha256-${hash('sha256', style, 'base64')}`).toBe(WAVEFORM_STYLE)
})
