import { expect, test } from 'vitest'
import { toolOptions } from './tool-options.ts'
import type { Tool } from './tools.ts'

const watermark = (service_slug: string) =>
  ({
    ...{ service_slug, operation_key: 'watermark', title: 'Watermark', description: '' },
    config: { group: { key: 'text', title: 'Text' } },
  }) as unknown as Tool

test('tools of two services with one title are in groups that name the service', () => {
  const options = (service: string) => [{ value: `${service}/watermark`, label: 'Watermark' }]
  expect(toolOptions([watermark('video'), watermark('image')])).toEqual([
    { label: 'Video · Text', options: options('video') },
    { label: 'Images · Text', options: options('image') },
  ])
  expect(toolOptions([watermark('image')])).toEqual([{ label: 'Text', options: options('image') }])
})
