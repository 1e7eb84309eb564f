/** A name of GraphQL as REST has it: `apiKey` is `api_key`. */
export const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
