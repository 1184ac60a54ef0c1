import { DEVICES, type Device } from '../devices/devices.ts'
import type { FieldForm } from './form.ts'

/** The device whose tags are written. */
export const DEVICE = {
  label: { en: 'Device', uk: 'Пристрій', ru: 'Устройство' },
  description: { uk: 'Пристрій, теги якого записуються', ru: 'Устройство, теги которого записываются' },
  options: deviceName,
} as const satisfies FieldForm & { options: unknown }

/** The creation time; its description differs between video and image. */
export const CREATION_TIME = {
  label: { en: 'Date and time', uk: 'Дата й час', ru: 'Дата и время' },
  control: 'date',
} as const satisfies Partial<FieldForm>

function deviceName(key: string): string {
  const device: Device | undefined = DEVICES[key as keyof typeof DEVICES]
  return device === undefined ? key : `${device.make} ${device.model}`
}
