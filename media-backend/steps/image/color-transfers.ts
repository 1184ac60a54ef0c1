import type { ColorCodePoints } from '../../../shared/planning/facts.ts'

/** Luminance of reference white in HDR (ITU-R BT.2408). It equals 1 before tone mapping. */
const REFERENCE_WHITE_NITS = 203
/** Light level that becomes white after tone mapping: about 1000 nits. */
const PEAK = 5
const PQ_NITS_MAX = 10_000
const HLG_NITS_MAX = 1000

/**
 * Transfer functions, keyed by the code points of TransferCharacteristics (ITU-T H.273, table 3). All others are
 * treated as sRGB.
 */
const TRANSFERS: ReadonlyMap<number, (signal: number) => number> = new Map([
  [4, (signal) => signal ** 2.2],
  [5, (signal) => signal ** 2.8],
  [8, (signal) => signal],
])
/** HDR transfer functions, before tone mapping. */
const HDR_TRANSFERS: typeof TRANSFERS = new Map([
  [16, (signal) => (fromPq(signal) * PQ_NITS_MAX) / REFERENCE_WHITE_NITS],
  [18, (signal) => (fromHlg(signal) * HLG_NITS_MAX) / REFERENCE_WHITE_NITS],
])

/** Returns a function that converts a signal from 0 to 1 into light, where 1 is the white of a screen. */
export function transferCurve({ transfer, gamma }: ColorCodePoints): (signal: number) => number {
  if (gamma !== undefined) return (signal) => signal ** gamma
  const hdr = HDR_TRANSFERS.get(transfer)
  return hdr === undefined ? (TRANSFERS.get(transfer) ?? fromSrgb) : (signal) => compress(hdr(signal))
}

/**
 * Returns a function that converts an HDR signal into light before tone mapping. Returns null for other transfers.
 */
export function hdrCurve({ transfer, gamma }: ColorCodePoints): ((signal: number) => number) | null {
  return gamma === undefined ? (HDR_TRANSFERS.get(transfer) ?? null) : null
}

function fromSrgb(signal: number): number {
  return signal <= 0.04045 ? signal / 12.92 : ((signal + 0.055) / 1.055) ** 2.4
}

/** Decodes PQ (SMPTE ST 2084) into a fraction of 10,000 nits. */
function fromPq(signal: number): number {
  const [m1, m2, c1, c2, c3] = [2610 / 16_384, 2523 / 32, 3424 / 4096, 2413 / 128, 2392 / 128]
  const root = signal ** (1 / m2)
  return (Math.max(0, root - c1) / (c2 - c3 * root)) ** (1 / m1)
}

/** Decodes HLG (ITU-R BT.2100) into a fraction of 1000 nits, separately for each channel. */
function fromHlg(signal: number): number {
  const [a, b, c] = [0.17883277, 0.28466892, 0.55991073]
  const scene = signal <= 0.5 ? (signal * signal) / 3 : (Math.exp((signal - c) / a) + b) / 12
  return scene ** 1.2
}

/**
 * Applies the "mobius" curve of ffmpeg's tonemap filter, which is also used for videos. The curve is linear up to
 * 0.3 and maps PEAK to 1.
 */
export function compress(light: number): number {
  const knee = 0.3
  if (light <= knee) return light
  const a = (-knee * knee * (PEAK - 1)) / (knee * knee - 2 * knee + PEAK)
  const b = (knee * knee - 2 * knee * PEAK + PEAK) / (PEAK - 1)
  return (((b * b + 2 * b * knee + knee * knee) / (b - a)) * (light + a)) / (light + b)
}
