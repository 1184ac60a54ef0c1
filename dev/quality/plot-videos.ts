import type { ComparedVideo } from './compare-video.ts'

const ROW = 26
const TOP = 56
const NAMES = 190
const BARS = { left: NAMES, width: 260, max: 1.3 }
const DOTS = { left: NAMES + 300, width: 300, min: 78, max: 100 }

/** Draws the bytes of each video relative to the fixed rate factor, and its VMAF with both. */
export function plotVideos(videos: readonly ComparedVideo[]): string {
  const height = TOP + videos.length * ROW + 20
  const bytesAt = (ratio: number) => BARS.left + (Math.min(BARS.max, ratio) / BARS.max) * BARS.width
  const vmafAt = (vmaf: number) =>
    DOTS.left + ((Math.max(DOTS.min, vmaf) - DOTS.min) / (DOTS.max - DOTS.min)) * DOTS.width
  const rows = videos.map(({ name, fixed, searched }, index) => {
    const y = TOP + index * ROW
    const ratio = searched.bytes / fixed.bytes
    const [before, after] = [vmafAt(fixed.vmaf_mean ?? 0), vmafAt(searched.vmaf_mean ?? 0)]
    return [
      text(NAMES - 10, y + 13, name, 'end'),
      `<rect x="${BARS.left}" y="${y + 2}" width="${number(bytesAt(ratio) - BARS.left)}" height="14" fill="#2f6f9f"/>`,
      text(bytesAt(ratio) + 5, y + 13, ratio.toFixed(2)),
      `<line x1="${number(before)}" y1="${y + 9}" x2="${number(after)}" y2="${y + 9}" stroke="#999"/>`,
      `<circle cx="${number(before)}" cy="${y + 9}" r="5" fill="#fff" stroke="#c2571a" stroke-width="2"/>`,
      `<circle cx="${number(after)}" cy="${y + 9}" r="5" fill="#2f6f9f"/>`,
    ]
  })
  const grid = [80, 85, 90, 95, 100].flatMap((vmaf) => [
    `<line x1="${number(vmafAt(vmaf))}" y1="${TOP - 4}" x2="${number(vmafAt(vmaf))}" y2="${height - 18}" stroke="#e2e2e2"/>`,
    text(vmafAt(vmaf), TOP - 10, String(vmaf), 'middle'),
  ])
  const one = number(bytesAt(1))
  const parts = [
    text(BARS.left, 18, 'Bytes, relative to the fixed rate factor'),
    text(DOTS.left, 18, 'VMAF: fixed rate factor (ring), search (dot)'),
    ...grid,
    ...rows.flat(),
    `<line x1="${one}" y1="${TOP - 4}" x2="${one}" y2="${height - 18}" stroke="#c2571a" stroke-dasharray="4 3"/>`,
  ]
  const size = `width="${DOTS.left + DOTS.width + 30}" height="${height}"`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" ${size} font-family="sans-serif" font-size="12">`,
    '<title>Bytes and VMAF of each clip</title>',
    '<rect width="100%" height="100%" fill="#fff"/>',
    ...parts,
    '</svg>\n',
  ].join('\n')
}

function text(x: number, y: number, content: string, anchor = 'start'): string {
  return `<text x="${number(x)}" y="${y}" text-anchor="${anchor}" fill="#222">${content}</text>`
}

function number(value: number): string {
  return value.toFixed(1)
}
