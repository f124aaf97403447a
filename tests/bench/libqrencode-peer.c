/*
 * The yardstick of the encoder's bench: the QR codes of the lines of standard input as PNGs, made by
 * libqrencode and zlib level 1. Error correction M, 8 pixels a module, quiet zone of 4, 1 bit a pixel.
 *
 *   libqrencode-peer PASSES < payloads
 *
 * Draws all lines PASSES times in one thread. Prints the CPU seconds that took, the mean size of an
 * image in bytes, and the last image in hexadecimal.
 */
#include <qrencode.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <zlib.h>

enum { SCALE = 8, QUIET = 4, MAX_LINES = 100000, MAX_LENGTH = 600 };

static uint8_t *put32(uint8_t *at, uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) *at++ = value >> shift;
  return at;
}

/* A chunk whose content is in place already, after 8 bytes for its length and type. */
static uint8_t *finish_chunk(uint8_t *chunk, const char *type, uint32_t length) {
  put32(chunk, length);
  memcpy(chunk + 4, type, 4);
  return put32(chunk + 8 + length, crc32(0, chunk + 4, length + 4));
}

static size_t encode(const char *payload, z_stream *zlib, uint8_t *png) {
  static uint8_t image[(1 + 177 + 2 * QUIET) * (177 + 2 * QUIET) * SCALE];
  QRcode *code = QRcode_encodeString(payload, 0, QR_ECLEVEL_M, QR_MODE_8, 1);
  if (!code) exit(2);
  int width = code->width + 2 * QUIET, line = 1 + width;
  size_t size = (size_t)line * width * SCALE;
  memset(image, 0xff, size);
  for (int y = 0; y < width * SCALE; y++) image[y * line] = 0;
  for (int row = 0; row < code->width; row++) {
    uint8_t *top = image + (row + QUIET) * SCALE * line;
    for (int column = 0; column < code->width; column++)
      if (code->data[row * code->width + column] & 1) top[1 + QUIET + column] = 0;
    for (int n = 1; n < SCALE; n++) memcpy(top + n * line, top, line);
  }
  QRcode_free(code);

  uint8_t *at = png;
  memcpy(at, "\x89PNG\r\n\x1a\n", 8);
  at += 8;
  put32(at + 8, width * SCALE);
  put32(at + 12, width * SCALE);
  memcpy(at + 16, "\1\0\0\0", 5);
  at = finish_chunk(at, "IHDR", 13);
  deflateReset(zlib);
  zlib->next_in = image;
  zlib->avail_in = size;
  zlib->next_out = at + 8;
  zlib->avail_out = size;
  if (deflate(zlib, Z_FINISH) != Z_STREAM_END) exit(3);
  at = finish_chunk(at, "IDAT", zlib->total_out);
  return finish_chunk(at, "IEND", 0) - png;
}

int main(int argc, char **argv) {
  static char lines[MAX_LINES][MAX_LENGTH];
  static uint8_t png[1 << 19];
  int count = 0, passes = argc > 1 ? atoi(argv[1]) : 1;
  while (count < MAX_LINES && fgets(lines[count], MAX_LENGTH, stdin)) {
    lines[count][strcspn(lines[count], "\n")] = 0;
    count++;
  }
  z_stream zlib = {0};
  if (!count || deflateInit(&zlib, 1) != Z_OK) return 1;

  size_t size = 0, total = 0;
  clock_t start = clock();
  for (int pass = 0; pass < passes; pass++)
    for (int n = 0; n < count; n++) total += size = encode(lines[n], &zlib, png);
  printf("%f\n%zu\n", (double)(clock() - start) / CLOCKS_PER_SEC, total / passes / count);
  for (size_t n = 0; n < size; n++) printf("%02x", png[n]);
  return 0;
}
