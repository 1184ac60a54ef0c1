/**
 * Tags that people write, as named by exiftool: authors, texts, rights, ratings, times and places. All other tags
 * come from a device, or from a program that repeats the device's tags. png-text.ts copies the text of a PNG.
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

/**
 * Arguments that copy the text of a PNG to the equivalent tags in other formats. They use exiftool's syntax,
 * `tag<text`.
 */
export const PNG_TEXT_AS_XMP = [
  ...['XMP-dc:Title<PNG:Title', 'XMP-dc:Creator<PNG:Author', 'XMP-dc:Description<PNG:Description'],
  ...['XMP-dc:Rights<PNG:Copyright', 'XMP-exif:UserComment<PNG:Comment'],
  'XMP-xmp:CreateDate<PNG:CreationTime',
]
