export const keysPt = {
  title: 'Chaves de API',
};
