import type { Metadata } from 'sharp'
import { expect, test } from 'vitest'
import type { ImageStep, OverlayAction } from '../../../shared/planning/steps.ts'
import { estimateBytes } from './memory.ts'

const mark: OverlayAction = {
  ...{ action: 'overlay', content: { kind: 'image', file: 'logo' }, canvas: { width: 4000, height: 3000 } },
  ...{ width: 1000, margin: 0, place: 'c', tiled: false, opacity: 1 },
}

test.each<[string, Partial<ImageStep['output']>, ImageStep['actions'], Partial<Metadata>, number]>([
  ['a photograph', {}, [], {}, 168],
  ['of 16 bits', { format: 'png' }, [], { depth: 'ushort' }, 336],
  ['an image that is enlarged', {}, [{ action: 'resize', width: 6000, height: 8000, fit: 'fill' }], {}, 672],
  ['as AVIF', { format: 'avif' }, [], {}, 396],
  ['as AVIF with saves_memory', { format: 'avif', saves_memory: true }, [], {}, 240],
  ['whose quality is searched by similarity', { similarity_min: 0.98 }, [], {}, 216],
  ['whose quality is set', { similarity_min: 0.98, quality: 80 }, [], {}, 168],
  ['an animation', { format: 'webp' }, [], { format: 'gif', pages: 5 }, 840],
  ['with a logo', {}, [mark], {}, 198],
  ['of 16 bits with a logo', { format: 'png' }, [mark], { depth: 'ushort' }, 366],
  ['with a tiled logo', {}, [{ ...mark, tiled: true }], {}, 228],
  ['with a tiled logo of its own width', {}, [{ ...mark, width: 4000, tiled: true }], {}, 288],
  ['cropped to a circle', {}, [{ action: 'circle', diameter: 1000, background: null }], {}, 178],
  ['one frame of an animation', {}, [], { format: 'gif', pages: 5 }, 168],
])('estimates a constant amount of memory for %s', (_name, output, actions, header, megabytes) => {
  const requested = { file: 'out', format: 'jpeg', quality: null, max_bytes: null, ...output } as const
  const step: ImageStep = { kind: 'image', input: 'source', actions, output: requested }
  const metadata = { format: 'jpeg', width: 4000, height: 3000, depth: 'uchar', ...header } as Metadata
  expect(estimateBytes(step, metadata)).toBe(megabytes * 1_000_000)
})
