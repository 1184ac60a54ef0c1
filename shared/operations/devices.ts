/** A camera as its own pictures name it, with an exposure by daylight that it would choose. */
export interface Device {
  make: string
  model: string
  software: string
  lens_make: string
  lens_model: string
  /** Shortest and longest focal length in mm, and the widest aperture at each. */
  lens_range: readonly [shortest: number, longest: number, aperture: number, aperture_longest: number]
  focal_length_mm: number
  focal_length_35mm: number
  f_number: number
  iso: number
  /** The exposure time is one part of so many of a second. */
  exposure_fraction: number
}

type Body = Pick<Device, 'make' | 'model' | 'software'>
type Optics = Omit<Device, keyof Body>

const apple = (model: string, software: string): Body => ({ make: 'Apple', model, software })

/** The main camera of an iPhone 16 Pro and of the 15 and 16 Pro Max. */
const IPHONE_TRIPLE = {
  lens_make: 'Apple',
  lens_range: [2.22, 15.66, 1.78, 2.8],
  focal_length_mm: 6.765,
  focal_length_35mm: 24,
  f_number: 1.78,
  iso: 64,
  exposure_fraction: 1215,
} as const

const GALAXY_ULTRA: Optics = {
  lens_make: 'Samsung',
  lens_model: 'Galaxy Ultra rear wide camera 6.3mm f/1.7',
  lens_range: [6.3, 6.3, 1.7, 1.7],
  focal_length_mm: 6.3,
  focal_length_35mm: 23,
  f_number: 1.7,
  iso: 50,
  exposure_fraction: 900,
}

const PIXEL = {
  lens_make: 'Google',
  lens_range: [6.9, 6.9, 1.68, 1.68],
  focal_length_mm: 6.9,
  focal_length_35mm: 24,
  f_number: 1.68,
  iso: 45,
  exposure_fraction: 1020,
} as const

/** The devices of device_meta, by the keys of the specification (Image service, device_meta presets). */
export const DEVICES = {
  iphone: {
    ...apple('iPhone 14', '17.6.1'),
    lens_make: 'Apple',
    lens_model: 'iPhone 14 back dual wide camera 5.7mm f/1.5',
    lens_range: [1.54, 5.7, 1.5, 2.4],
    focal_length_mm: 5.7,
    focal_length_35mm: 26,
    f_number: 1.5,
    iso: 50,
    exposure_fraction: 1842,
  },
  iphone_15: {
    ...apple('iPhone 15', '17.6.1'),
    lens_make: 'Apple',
    lens_model: 'iPhone 15 back dual wide camera 5.96mm f/1.6',
    lens_range: [1.54, 5.96, 1.6, 2.4],
    focal_length_mm: 5.96,
    focal_length_35mm: 26,
    f_number: 1.6,
    iso: 50,
    exposure_fraction: 1621,
  },
  iphone_15_pro_max: {
    ...apple('iPhone 15 Pro Max', '17.6.1'),
    ...IPHONE_TRIPLE,
    lens_model: 'iPhone 15 Pro Max back triple camera 6.765mm f/1.78',
  },
  iphone_16: {
    ...apple('iPhone 16', '18.3.1'),
    lens_make: 'Apple',
    lens_model: 'iPhone 16 back dual wide camera 5.96mm f/1.6',
    lens_range: [2.22, 5.96, 1.6, 2.2],
    focal_length_mm: 5.96,
    focal_length_35mm: 26,
    f_number: 1.6,
    iso: 50,
    exposure_fraction: 1577,
  },
  iphone_16_pro: {
    ...apple('iPhone 16 Pro', '18.3.1'),
    ...IPHONE_TRIPLE,
    lens_model: 'iPhone 16 Pro back triple camera 6.765mm f/1.78',
  },
  iphone_16_pro_max: {
    ...apple('iPhone 16 Pro Max', '18.3.1'),
    ...IPHONE_TRIPLE,
    lens_model: 'iPhone 16 Pro Max back triple camera 6.765mm f/1.78',
  },
  samsung_galaxy_s24: {
    make: 'samsung',
    model: 'Galaxy S24',
    software: 'S921BXXS4AXH5',
    lens_make: 'Samsung',
    lens_model: 'Galaxy S24 rear wide camera 5.4mm f/1.8',
    lens_range: [5.4, 5.4, 1.8, 1.8],
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
    lens_model: 'Galaxy S24 Ultra rear wide camera 6.3mm f/1.7',
  },
  samsung_galaxy_s25_ultra: {
    make: 'samsung',
    model: 'Galaxy S25 Ultra',
    software: 'S938BXXU1AYB3',
    ...GALAXY_ULTRA,
    lens_model: 'Galaxy S25 Ultra rear wide camera 6.3mm f/1.7',
  },
  google_pixel_8_pro: {
    make: 'Google',
    model: 'Pixel 8 Pro',
    software: 'HDR+ 1.0.585804376zd',
    ...PIXEL,
    lens_model: 'Pixel 8 Pro back camera 6.9mm f/1.68',
  },
  google_pixel_9_pro: {
    make: 'Google',
    model: 'Pixel 9 Pro',
    software: 'HDR+ 1.0.672217210zd',
    ...PIXEL,
    lens_model: 'Pixel 9 Pro back camera 6.9mm f/1.68',
  },
  xiaomi_14_ultra: {
    make: 'Xiaomi',
    model: '24030PN60G',
    software: 'OS1.0.9.0.UNAEUXM',
    lens_make: 'LEICA',
    lens_model: 'Xiaomi 14 Ultra rear main camera 8.7mm f/1.63',
    lens_range: [8.7, 8.7, 1.63, 1.63],
    focal_length_mm: 8.7,
    focal_length_35mm: 23,
    f_number: 1.63,
    iso: 50,
    exposure_fraction: 1250,
  },
  oneplus_12: {
    make: 'OnePlus',
    model: 'CPH2581',
    software: 'CPH2581_14.0.0.610(EX01)',
    lens_make: 'HASSELBLAD',
    lens_model: 'OnePlus 12 rear main camera 6.06mm f/1.6',
    lens_range: [6.06, 6.06, 1.6, 1.6],
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
    lens_make: 'Sony',
    lens_model: 'Xperia 1 VI rear main camera 6.6mm f/1.9',
    lens_range: [6.6, 6.6, 1.9, 1.9],
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
    lens_make: 'HUAWEI',
    lens_model: 'P60 Pro rear main camera 6.7mm f/1.4-4.0',
    lens_range: [6.7, 6.7, 1.4, 1.4],
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
    lens_make: 'Sony',
    lens_model: 'FE 24-70mm F2.8 GM II',
    lens_range: [24, 70, 2.8, 2.8],
    focal_length_mm: 50,
    focal_length_35mm: 50,
    f_number: 4,
    iso: 100,
    exposure_fraction: 320,
  },
  canon_eos_r5: {
    make: 'Canon',
    model: 'Canon EOS R5',
    software: 'Firmware Version 2.0.0',
    lens_make: 'Canon',
    lens_model: 'RF24-70mm F2.8 L IS USM',
    lens_range: [24, 70, 2.8, 2.8],
    focal_length_mm: 50,
    focal_length_35mm: 50,
    f_number: 4,
    iso: 100,
    exposure_fraction: 400,
  },
  canon_eos_r6_mark_ii: {
    make: 'Canon',
    model: 'Canon EOS R6m2',
    software: 'Firmware Version 1.4.0',
    lens_make: 'Canon',
    lens_model: 'RF24-105mm F4 L IS USM',
    lens_range: [24, 105, 4, 4],
    focal_length_mm: 50,
    focal_length_35mm: 50,
    f_number: 5.6,
    iso: 100,
    exposure_fraction: 250,
  },
  nikon_z8: {
    make: 'NIKON CORPORATION',
    model: 'NIKON Z 8',
    software: 'Ver.02.01',
    lens_make: 'NIKON',
    lens_model: 'NIKKOR Z 24-70mm f/2.8 S',
    lens_range: [24, 70, 2.8, 2.8],
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
    lens_make: 'FUJIFILM',
    lens_model: 'XF16-55mmF2.8 R LM WR',
    lens_range: [16, 55, 2.8, 2.8],
    focal_length_mm: 23,
    focal_length_35mm: 35,
    f_number: 4,
    iso: 125,
    exposure_fraction: 320,
  },
} as const satisfies Record<string, Device>

type DeviceKey = keyof typeof DEVICES
export const DEVICE_KEYS = Object.keys(DEVICES) as [DeviceKey, ...DeviceKey[]]
