import unittest

import slugs


class SlugifyTest(unittest.TestCase):
    def test_one_word(self):
        self.assertEqual(slugs.slugify("Hello"), "hello")

    def test_words_and_punctuation(self):
        self.assertEqual(slugs.slugify("Hello, big World!"), "hello-big-world")


if __name__ == "__main__":
    unittest.main()
