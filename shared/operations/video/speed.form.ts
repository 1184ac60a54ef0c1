import type { FormOf } from '../../forms/form.ts'
import type { speed } from './speed.ts'

export const speedForm: FormOf<typeof speed> = {
  group: 'cut',
  title: { uk: 'Змінити швидкість', ru: 'Изменить скорость' },
  description: {
    uk: 'Змінює швидкість відтворення; висота голосу не змінюється.',
    ru: 'Меняет скорость воспроизведения; высота голоса не меняется.',
  },
  summary: {
    en: 'Slow motion or time lapse; voices keep their pitch',
    uk: 'Сповільнення або прискорення; висота голосу не змінюється',
    ru: 'Замедление или ускорение; высота голоса не меняется',
  },
  fields: {
    factor: {
      label: { en: 'Speed', uk: 'Швидкість', ru: 'Скорость' },
      hint: { en: '1 is the original speed', uk: '1 — початкова швидкість', ru: '1 — исходная скорость' },
      description: {
        uk: 'Множник швидкості: 2 — удвічі швидше, 0.5 — удвічі повільніше',
        ru: 'Множитель скорости: 2 — вдвое быстрее, 0.5 — вдвое медленнее',
      },
      unit: 'times',
      step: 0.05,
      control: 'slider',
    },
  },
  presets: {
    'Slow motion: half speed': { uk: 'Сповільнення вдвічі', ru: 'Замедление вдвое' },
    'Lecture: 1.5x': { uk: 'Лекція: 1,5×', ru: 'Лекция: 1,5×' },
    'Double speed': { uk: 'Удвічі швидше', ru: 'Вдвое быстрее' },
    'Time lapse: 10x': { uk_ru: 'Таймлапс: 10×' },
  },
}
