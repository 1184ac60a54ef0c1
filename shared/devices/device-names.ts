import type { DeviceKey } from './devices.ts'

/** Names under which devices are sold. Photos often name a model number instead. */
export const DEVICE_NAMES: Record<DeviceKey, string> = {
  iphone: 'iPhone 14',
  iphone_15: 'iPhone 15',
  iphone_15_pro_max: 'iPhone 15 Pro Max',
  iphone_16: 'iPhone 16',
  iphone_16_pro: 'iPhone 16 Pro',
  iphone_16_pro_max: 'iPhone 16 Pro Max',
  samsung_galaxy_s24: 'Samsung Galaxy S24',
  samsung_galaxy_s24_ultra: 'Samsung Galaxy S24 Ultra',
  samsung_galaxy_s25_ultra: 'Samsung Galaxy S25 Ultra',
  google_pixel_8_pro: 'Google Pixel 8 Pro',
  google_pixel_9_pro: 'Google Pixel 9 Pro',
  xiaomi_14_ultra: 'Xiaomi 14 Ultra',
  oneplus_12: 'OnePlus 12',
  sony_xperia_1_vi: 'Sony Xperia 1 VI',
  huawei_p60_pro: 'Huawei P60 Pro',
  sony_a7_iv: 'Sony α7 IV',
  canon_eos_r5: 'Canon EOS R5',
  canon_eos_r6_mark_ii: 'Canon EOS R6 Mark II',
  nikon_z8: 'Nikon Z8',
  fujifilm_x_t5: 'Fujifilm X-T5',
}
