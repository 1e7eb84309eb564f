export const resourceTexts = {};
