import { CREATION_TIME, DEVICE } from '../../forms/device-fields.ts'
import type { FormOf } from '../../forms/form.ts'
import type { device_meta } from './device_meta.ts'

export const deviceMetaForm: FormOf<typeof device_meta> = {
  group: 'privacy',
  title: { uk: 'Метадані пристрою', ru: 'Метаданные устройства' },
  description: {
    uk: 'Записує теги EXIF телефона або камери: виробника, модель, об’єктив, програму й експозицію.',
    ru: 'Записывает теги EXIF телефона или камеры: производителя, модель, объектив, программу и экспозицию.',
  },
  summary: {
    en: 'Tags like those of a phone or camera',
    uk: 'Теги, як у телефона або камери',
    ru: 'Теги, как у телефона или камеры',
  },
  fields: {
    preset: DEVICE,
    metadata_mode: {
      label: { en: 'Existing metadata', uk: 'Наявні метадані', ru: 'Имеющиеся метаданные' },
      description: {
        uk: 'Що робити з наявними метаданими. set замінює їх усі. merge зберігає метадані, які не походять із пристрою (автор, підписи, права, оцінки, геодані, а також дати, якщо не задано creation_time), і вилучає теги іншого пристрою.',
        ru: 'Что делать с имеющимися метаданными. set заменяет их все. merge сохраняет метаданные, которые не относятся к устройству (автор, подписи, права, оценки, геоданные, а также даты, если не задано creation_time), и удаляет теги другого устройства.',
      },
      is_advanced: true,
      options: {
        set: { en: 'Replace all', uk: 'Замінити всі', ru: 'Заменить все' },
        merge: {
          en: 'Keep unrelated',
          uk: 'Зберегти не пов’язані з пристроєм',
          ru: 'Сохранить не связанные с устройством',
        },
      },
    },
    creation_time: {
      ...CREATION_TIME,
      description: {
        uk: 'Час зйомки, наприклад 2026-05-01T12:30:00. За замовчуванням час не записується',
        ru: 'Время съемки, например 2026-05-01T12:30:00. По умолчанию время не записывается',
      },
    },
  },
  presets: { 'iPhone 16 Pro': 'same', 'Galaxy S25 Ultra': 'same', 'Canon EOS R5': 'same' },
}
