import type { DeviceMake } from './device-habits.ts'

/** A lens, as named in photos. */
interface Lens {
  make: string | null
  model: string
  /**
   * Shortest and longest focal length in mm, and the widest aperture at each; Canon writes 0 for the
   * apertures.
   */
  range: readonly [shortest: number, longest: number, aperture: number, aperture_longest: number] | null
}

/**
 * A camera, as named in its photos, with a typical daylight exposure. A value is null if the maker's photos omit
 * it. Sources are listed in device-habits.ts.
 */
export interface Device {
  make: DeviceMake
  model: string
  software: string | null
  lens: Lens | null
  focal_length_mm: number
  focal_length_35mm: number | null
  f_number: number
  iso: number
  /** Denominator of the exposure time (1/x seconds). */
  exposure_fraction: number
}

type Body = Pick<Device, 'make' | 'model' | 'software'>
type Optics = Omit<Device, keyof Body>

const apple = (model: string, software: string): Body => ({ make: 'Apple', model, software })

/** Returns the main camera of the iPhone 16 Pro and of the 15 and 16 Pro Max. */
const iphoneTriple = (model: string): Optics => ({
  lens: {
    make: 'Apple',
    model: `${model} back triple camera 6.765mm f/1.78`,
    range: [2.22, 15.66, 1.78, 2.8],
  },
  focal_length_mm: 6.765,
  focal_length_35mm: 24,
  f_number: 1.78,
  iso: 64,
  exposure_fraction: 1215,
})

const GALAXY_ULTRA: Optics = {
  lens: null,
  focal_length_mm: 6.3,
  focal_length_35mm: 23,
  f_number: 1.7,
  iso: 50,
  exposure_fraction: 900,
}

const pixel = (model: string): Optics => ({
  lens: { make: 'Google', model: `${model} back camera 6.9mm f/1.68`, range: null },
  focal_length_mm: 6.9,
  focal_length_35mm: 24,
  f_number: 1.68,
  iso: 45,
  exposure_fraction: 1020,
})

/** Devices that device_meta supports, by key (Contract: Image operations, Devices). */
export const DEVICES = {
  iphone: {
    ...apple('iPhone 14', '17.6.1'),
    lens: {
      make: 'Apple',
      model: 'iPhone 14 back dual wide camera 5.7mm f/1.5',
      range: [1.54, 5.7, 1.5, 2.4],
    },
    focal_length_mm: 5.7,
    focal_length_35mm: 26,
    f_number: 1.5,
    iso: 50,
    exposure_fraction: 1842,
  },
  iphone_15: {
    ...apple('iPhone 15', '17.6.1'),
    lens: {
      make: 'Apple',
      model: 'iPhone 15 back dual wide camera 5.96mm f/1.6',
      range: [1.54, 5.96, 1.6, 2.4],
    },
    focal_length_mm: 5.96,
    focal_length_35mm: 26,
    f_number: 1.6,
    iso: 50,
    exposure_fraction: 1621,
  },
  iphone_15_pro_max: {
    ...apple('iPhone 15 Pro Max', '17.6.1'),
    ...iphoneTriple('iPhone 15 Pro Max'),
  },
  iphone_16: {
    ...apple('iPhone 16', '18.3.1'),
    lens: {
      make: 'Apple',
      model: 'iPhone 16 back dual wide camera 5.96mm f/1.6',
      range: [2.22, 5.96, 1.6, 2.2],
    },
    focal_length_mm: 5.96,
    focal_length_35mm: 26,
    f_number: 1.6,
    iso: 50,
    exposure_fraction: 1577,
  },
  iphone_16_pro: {
    ...apple('iPhone 16 Pro', '18.3.1'),
    ...iphoneTriple('iPhone 16 Pro'),
  },
  iphone_16_pro_max: {
    ...apple('iPhone 16 Pro Max', '18.3.1'),
    ...iphoneTriple('iPhone 16 Pro Max'),
  },
  samsung_galaxy_s24: {
    make: 'samsung',
    model: 'Galaxy S24',
    software: 'S921BXXS4AXH5',
    lens: null,
    focal_length_mm: 5.4,
    focal_length_35mm: 23,
    f_number: 1.8,
    iso: 50,
    exposure_fraction: 850,
  },
  samsung_galaxy_s24_ultra: {
    make: 'samsung',
    model: 'Galaxy S24 Ultra',
    software: 'S928BXXS4AXH5',
    ...GALAXY_ULTRA,
  },
  samsung_galaxy_s25_ultra: {
    make: 'samsung',
    model: 'Galaxy S25 Ultra',
    software: 'S938BXXU1AYB3',
    ...GALAXY_ULTRA,
  },
  google_pixel_8_pro: {
    make: 'Google',
    model: 'Pixel 8 Pro',
    software: 'HDR+ 1.0.585804376zd',
    ...pixel('Pixel 8 Pro'),
  },
  google_pixel_9_pro: {
    make: 'Google',
    model: 'Pixel 9 Pro',
    software: 'HDR+ 1.0.672217210zd',
    ...pixel('Pixel 9 Pro'),
  },
  xiaomi_14_ultra: {
    make: 'Xiaomi',
    model: '24030PN60G',
    software: null,
    lens: null,
    focal_length_mm: 8.7,
    focal_length_35mm: 23,
    f_number: 1.63,
    iso: 50,
    exposure_fraction: 1250,
  },
  oneplus_12: {
    make: 'OnePlus',
    model: 'CPH2581',
    software: null,
    lens: null,
    focal_length_mm: 6.06,
    focal_length_35mm: 23,
    f_number: 1.6,
    iso: 80,
    exposure_fraction: 1000,
  },
  sony_xperia_1_vi: {
    make: 'Sony',
    model: 'XQ-EC54',
    software: '69.0.A.2.44',
    lens: null,
    focal_length_mm: 6.6,
    focal_length_35mm: 24,
    f_number: 1.9,
    iso: 64,
    exposure_fraction: 800,
  },
  huawei_p60_pro: {
    make: 'HUAWEI',
    model: 'MNA-LX9',
    software: 'MNA-LX9 13.1.0.162(C432E6R1P2)',
    lens: null,
    focal_length_mm: 6.7,
    focal_length_35mm: 25,
    f_number: 2,
    iso: 50,
    exposure_fraction: 640,
  },
  sony_a7_iv: {
    make: 'SONY',
    model: 'ILCE-7M4',
    software: 'ILCE-7M4 v3.00',
    lens: { make: null, model: 'FE 24-70mm F2.8 GM II', range: [24, 70, 2.8, 2.8] },
    focal_length_mm: 50,
    focal_length_35mm: 50,
    f_number: 4,
    iso: 100,
    exposure_fraction: 320,
  },
  canon_eos_r5: {
    make: 'Canon',
    model: 'Canon EOS R5',
    software: null,
    lens: { make: null, model: 'RF24-70mm F2.8 L IS USM', range: [24, 70, 0, 0] },
    focal_length_mm: 50,
    focal_length_35mm: null,
    f_number: 4,
    iso: 100,
    exposure_fraction: 400,
  },
  canon_eos_r6_mark_ii: {
    make: 'Canon',
    model: 'Canon EOS R6m2',
    software: null,
    lens: { make: null, model: 'RF24-105mm F4 L IS USM', range: [24, 105, 0, 0] },
    focal_length_mm: 50,
    focal_length_35mm: null,
    f_number: 5.6,
    iso: 100,
    exposure_fraction: 250,
  },
  nikon_z8: {
    make: 'NIKON CORPORATION',
    model: 'NIKON Z 8',
    software: 'Ver.02.01',
    lens: { make: 'NIKON', model: 'NIKKOR Z 24-70mm f/2.8 S', range: [24, 70, 2.8, 2.8] },
    focal_length_mm: 50,
    focal_length_35mm: 50,
    f_number: 4,
    iso: 64,
    exposure_fraction: 250,
  },
  fujifilm_x_t5: {
    make: 'FUJIFILM',
    model: 'X-T5',
    software: 'Digital Camera X-T5 Ver3.01',
    lens: { make: 'FUJIFILM', model: 'XF16-55mmF2.8 R LM WR', range: [16, 55, 2.8, 2.8] },
    focal_length_mm: 23,
    focal_length_35mm: 35,
    f_number: 4,
    iso: 125,
    exposure_fraction: 320,
  },
} as const satisfies Record<string, Device>

export type DeviceKey = keyof typeof DEVICES
export const DEVICE_KEYS = Object.keys(DEVICES) as [DeviceKey, ...DeviceKey[]]
