import { CREATION_TIME, DEVICE } from '../../forms/device-fields.ts'
import type { FormOf } from '../../forms/form.ts'
import type { device_meta } from './device_meta.ts'

export const deviceMetaForm: FormOf<typeof device_meta> = {
  group: 'privacy',
  title: { uk: 'Метадані пристрою', ru: 'Метаданные устройства' },
  description: {
    uk: 'Замінює метадані тегами, які записує телефон або камера. Відео копіюється. Субтитри, розділи, обкладинка, вкладення й доріжки даних вилучаються, бо можуть вказувати на інший пристрій або місце.',
    ru: 'Заменяет метаданные тегами, которые записывает телефон или камера. Видео копируется. Субтитры, главы, обложка, вложения и дорожки данных удаляются, потому что могут указывать на другое устройство или место.',
  },
  summary: {
    en: 'Tags like those of a phone or camera',
    uk: 'Теги, як у телефона або камери',
    ru: 'Теги, как у телефона или камеры',
  },
  fields: {
    preset: DEVICE,
    creation_time: {
      ...CREATION_TIME,
      description: {
        uk: 'Час запису, наприклад 2026-05-01T12:30:00Z; за UTC, якщо немає зміщення. За замовчуванням час не записується',
        ru: 'Время записи, например 2026-05-01T12:30:00Z; по UTC, если нет смещения. По умолчанию время не записывается',
      },
    },
  },
  presets: { 'iPhone 16 Pro': 'same', 'Galaxy S25 Ultra': 'same', 'Sony A7 IV': 'same' },
}
