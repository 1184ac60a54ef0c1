/** EXIF values shared by all photos from one maker. */
interface Habits {
  /** EXIF Flash: 0 = did not fire, 16 = off. */
  flash: 0 | 16
  /** EXIF MeteringMode: 2 = center-weighted, 5 = pattern. */
  metering_mode: 2 | 5
  resolution_dpi: number
  /** EXIF YCbCrPositioning: 1 = centered, 2 = co-sited. */
  chroma_position: 1 | 2
  /** Exposure values that the maker's photos omit. */
  omits: readonly string[]
}

const BRIGHTNESS = 'ExifIFD:BrightnessValue'
const APERTURE = 'ExifIFD:ApertureValue'
const SHUTTER = 'ExifIFD:ShutterSpeedValue'

/**
 * Keyed by the make as written in EXIF. The sources are public listings of original photos:
 * - Apple: exiftool of an iPhone 15 Pro and an iPhone 16.
 * - samsung: exiftool of a Galaxy S24+ and a Galaxy S23 Ultra: no lens, firmware as software.
 * - Google: exiftool of a Pixel Fold and a Pixel 3: lens and its make, but no range.
 * - Xiaomi: exiftool of an M2102J20SG and a Mix 2S: neither lens nor software.
 * - OnePlus: exiftool of an A6013: neither lens nor software.
 * - Sony (phones): exiftool of an Xperia E5823 and an SO-01G.
 * - HUAWEI: Wikimedia Commons listings of an ELE-L29 and an ANE-LX1.
 * - SONY (cameras): ILCE-7M4 of dnglab's data; exiftool/exiftool issue 54: no lens make.
 * - Canon: EOS R5 and R6m2 of dnglab's data; Exiv2/exiv2 issue 2056 and darktable issue 11581: lens without
 * make and apertures, no 35 mm focal length.
 * - NIKON CORPORATION: NIKON Z 8 of dnglab's data; immich-app/immich issue 28167 (NIKON Z f).
 * - FUJIFILM: X-T5 and X-T4 of dnglab's data.
 */
export const DEVICE_HABITS = {
  Apple: { flash: 16, metering_mode: 5, resolution_dpi: 72, chroma_position: 1, omits: [] },
  samsung: { flash: 0, metering_mode: 2, resolution_dpi: 72, chroma_position: 1, omits: [] },
  Google: { flash: 16, metering_mode: 2, resolution_dpi: 72, chroma_position: 1, omits: [] },
  Xiaomi: { flash: 16, metering_mode: 2, resolution_dpi: 72, chroma_position: 1, omits: [] },
  OnePlus: { flash: 16, metering_mode: 5, resolution_dpi: 72, chroma_position: 1, omits: [] },
  Sony: {
    flash: 16,
    metering_mode: 5,
    resolution_dpi: 72,
    chroma_position: 1,
    omits: [BRIGHTNESS, APERTURE],
  },
  HUAWEI: { flash: 16, metering_mode: 5, resolution_dpi: 72, chroma_position: 1, omits: [] },
  SONY: { flash: 16, metering_mode: 5, resolution_dpi: 350, chroma_position: 2, omits: [APERTURE, SHUTTER] },
  Canon: { flash: 0, metering_mode: 5, resolution_dpi: 72, chroma_position: 2, omits: [BRIGHTNESS] },
  'NIKON CORPORATION': {
    flash: 0,
    metering_mode: 5,
    resolution_dpi: 300,
    chroma_position: 2,
    omits: [BRIGHTNESS, APERTURE, SHUTTER],
  },
  FUJIFILM: { flash: 0, metering_mode: 5, resolution_dpi: 72, chroma_position: 2, omits: [] },
} as const satisfies Record<string, Habits>

export type DeviceMake = keyof typeof DEVICE_HABITS
