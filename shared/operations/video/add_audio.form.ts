import type { FormOf } from '../../forms/form.ts'
import type { add_audio } from './add_audio.ts'

export const addAudioForm: FormOf<typeof add_audio> = {
  group: 'audio',
  title: { uk: 'Додати звук', ru: 'Добавить звук' },
  description: {
    uk: 'Додає музику або закадровий голос; звук можна зациклити, плавно ввести й вивести та приглушити під час мовлення. Відео копіюється.',
    ru: 'Добавляет музыку или закадровый голос; звук можно зациклить, плавно ввести и вывести и приглушить во время речи. Видео копируется.',
  },
  summary: {
    en: 'Music or a voice-over for a video',
    uk: 'Музика або закадровий голос для відео',
    ru: 'Музыка или закадровый голос для видео',
  },
  fields: {
    tracks: {
      label: { en: 'Tracks', uk: 'Доріжки', ru: 'Дорожки' },
      description: {
        uk: 'Звук, який додається: url (обов’язково), start, volume, loop, fade_in, fade_out, duck',
        ru: 'Добавляемый звук: url (обязательно), start, volume, loop, fade_in, fade_out, duck',
      },
      fields: {
        url: {
          label: { en: 'Audio file', uk: 'Аудіофайл', ru: 'Аудиофайл' },
          description: {
            uk: 'URL аудіофайлу: завантажений файл або загальнодоступний URL',
            ru: 'URL аудиофайла: загруженный файл или общедоступный URL',
          },
          control: 'file',
          accepts: ['audio'],
        },
        start: {
          label: { en: 'Start', uk: 'Початок', ru: 'Начало' },
          hint: {
            en: 'Where the track begins in the video',
            uk: 'Де у відео починається доріжка',
            ru: 'Где в видео начинается дорожка',
          },
          description: { uk: 'Момент початку у відео, у секундах', ru: 'Момент начала в видео, в секундах' },
          unit: 's',
          step: 0.1,
          control: 'time',
        },
        volume: {
          label: { en: 'Volume', uk: 'Гучність', ru: 'Громкость' },
          hint: {
            en: '1 is unchanged, 2 twice as loud',
            uk: '1 — без змін, 2 — удвічі гучніше',
            ru: '1 — без изменений, 2 — вдвое громче',
          },
          description: {
            uk: 'Множник гучності: 1 — без змін, 0.5 — удвічі тихіше, 2 — удвічі гучніше',
            ru: 'Множитель громкости: 1 — без изменений, 0.5 — вдвое тише, 2 — вдвое громче',
          },
          unit: 'times',
          step: 0.05,
          control: 'slider',
        },
        loop: {
          label: { en: 'Loop', uk: 'Зациклити', ru: 'Зациклить' },
          hint: {
            en: 'Repeats until the video ends',
            uk: 'Повторюється до кінця відео',
            ru: 'Повторяется до конца видео',
          },
          description: { uk: 'Повторює звук до кінця відео', ru: 'Повторяет звук до конца видео' },
        },
        fade_in: {
          label: { en: 'Fade-in', uk: 'Плавний початок', ru: 'Плавное начало' },
          description: { uk: 'Наростання на початку в секундах', ru: 'Нарастание в начале в секундах' },
          unit: 's',
          step: 0.1,
          group: 'fades',
          is_advanced: true,
        },
        fade_out: {
          label: { en: 'Fade-out', uk: 'Плавне завершення', ru: 'Плавное завершение' },
          description: { uk: 'Згасання наприкінці в секундах', ru: 'Затухание в конце в секундах' },
          unit: 's',
          step: 0.1,
          group: 'fades',
          is_advanced: true,
        },
        duck: {
          label: {
            en: 'Lower under speech',
            uk: 'Приглушувати під час мовлення',
            ru: 'Приглушать во время речи',
          },
          hint: {
            en: 'Quieter while someone speaks in the video',
            uk: 'Тихіше, коли у відео хтось говорить',
            ru: 'Тише, когда в видео кто-то говорит',
          },
          description: {
            uk: 'Приглушує звук, коли у відео хтось говорить: true — на 12 дБ, число — на стільки дБ',
            ru: 'Приглушает звук, когда в видео кто-то говорит: true — на 12 дБ, число — на столько дБ',
          },
        },
      },
    },
    original_volume: {
      label: { en: 'Volume of the video', uk: 'Гучність відео', ru: 'Громкость видео' },
      hint: {
        en: '0 replaces the sound of the video',
        uk: '0 замінює звук відео',
        ru: '0 заменяет звук видео',
      },
      description: {
        uk: 'Гучність власного звуку відео: 0 замінює його, 1 лишає без змін',
        ru: 'Громкость собственного звука видео: 0 заменяет его, 1 оставляет без изменений',
      },
      unit: 'times',
      step: 0.05,
      control: 'slider',
    },
  },
  presets: {},
}
