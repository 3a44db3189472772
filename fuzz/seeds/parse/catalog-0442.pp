node 'test.example.com' { notify { t: } }
node /test/ { notify { r: } }