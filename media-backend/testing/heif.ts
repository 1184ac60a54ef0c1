import type { ColorCodePoints } from '../../shared/planning/facts.ts'
import { box } from './boxes.ts'

const PROPERTY_BYTES = 19
const ITEM_BYTES = 18

/**
 * Sets the code points of a HEIF file made by heif-enc: in its "colr" box, which newer versions write, or in one that is
 * added without associating it with the image. Adding it shifts the items by the size of the box.
 */
export function addColor(file: Buffer, { primaries, transfer }: ColorCodePoints): Buffer {
  const written = file.indexOf('colrnclx')
  if (written > 0) {
    const changed = Buffer.from(file)
    changed.writeUInt16BE(primaries, written + 8)
    changed.writeUInt16BE(transfer, written + 10)
    return changed
  }
  const body = Buffer.alloc(11)
  body.write('nclx', 'latin1')
  body.writeUInt16BE(primaries, 4)
  body.writeUInt16BE(transfer, 6)
  body.writeUInt16BE(6, 8)
  body.writeUInt8(0x80, 10)
  const before = Buffer.from(file)
  moveItems(before)
  for (const type of ['meta', 'iprp', 'ipco']) {
    const at = before.indexOf(type) - 4
    before.writeUInt32BE(before.readUInt32BE(at) + PROPERTY_BYTES, at)
  }
  const container = before.indexOf('ipco') - 4
  const end = container + before.readUInt32BE(container) - PROPERTY_BYTES
  return Buffer.concat([before.subarray(0, end), box('colr', body), before.subarray(end)])
}

/** Updates the "iloc" box as written by heif-enc: version 0, one extent per item, four-byte numbers. */
function moveItems(file: Buffer): void {
  const at = file.indexOf('iloc')
  const count = file.readUInt16BE(at + 10)
  for (let item = 0; item < count; item += 1) {
    const offset = at + 12 + item * ITEM_BYTES + 4
    file.writeUInt32BE(file.readUInt32BE(offset) + PROPERTY_BYTES, offset)
  }
}
