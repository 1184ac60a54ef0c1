/**
 * Tags that people write about an image, as exiftool names them: authors, texts, rights, ratings, times, places. All
 * others are a device's, or of a program that repeats what a device wrote. Text of a PNG is copied by png-text.ts.
 */
export const PERSONAL = [
  ...[
    'IFD0:ImageDescription',
    'IFD0:Artist',
    'IFD0:Copyright',
    'IFD0:XP*',
    'IFD0:Rating*',
    'IFD0:ModifyDate',
  ],
  ...['ExifIFD:DateTimeOriginal', 'ExifIFD:CreateDate', 'ExifIFD:OffsetTime*', 'ExifIFD:SubSecTime*'],
  ...['ExifIFD:UserComment', 'ExifIFD:OwnerName', 'GPS:all', 'IPTC:all', 'File:Comment'],
  ...['dc', 'photoshop', 'xmpRights', 'iptcCore', 'iptcExt', 'plus', 'lr', 'cc', 'mwg-rs', 'mwg-kw'].map(
    (namespace) => `XMP-${namespace}:all`,
  ),
  ...['Rating', 'Label', 'CreateDate', 'ModifyDate', 'MetadataDate', 'Nickname'].map(
    (name) => `XMP-xmp:${name}`,
  ),
  ...['DateTimeOriginal', 'DateTimeDigitized', 'UserComment', 'GPS*'].map((name) => `XMP-exif:${name}`),
  ...['Artist', 'Copyright', 'ImageDescription'].map((name) => `XMP-tiff:${name}`),
]

/** Copies the text of a PNG to where other formats have it; `tags<text` as exiftool reads it. */
export const PNG_TEXT_AS_XMP = [
  ...['XMP-dc:Title<PNG:Title', 'XMP-dc:Creator<PNG:Author', 'XMP-dc:Description<PNG:Description'],
  ...['XMP-dc:Rights<PNG:Copyright', 'XMP-exif:UserComment<PNG:Comment'],
  'XMP-xmp:CreateDate<PNG:CreationTime',
]
