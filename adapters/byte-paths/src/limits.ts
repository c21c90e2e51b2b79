/** `PATH_MAX` of Linux, without the zero at the end. */
export const maxPathBytes = 4095;
